internal import ContentCoding

/// The decoding of one attempt's body, and its progress.
struct BodyDecoding {
    /// The weight of a byte between combined codings in the decompression limit.
    ///
    /// Compressed bytes shrink little when compressed again, so only decompression bombs exceed the
    /// limit.
    private static let limitWeight = 16

    /// The decoder, if the body is encoded and must be decoded.
    private(set) var decoder: ContentDecoder?
    private var limit: DecompressionLimit?

    /// The encoded and the decoded size so far, regardless of how much was delivered.
    private(set) var encodedBytes: Int64 = 0
    private var decodedBytes: Int64 = 0
    /// How much of the encoded body the delegate knows to have been received.
    private var reportedBytes: Int64 = 0
    /// How many bytes that libcurl delivers again were already decoded.
    private var bytesAhead = 0

    /// Whether encoded bytes were received that the delegate doesn't know of.
    var hasUnreportedBytes: Bool { encodedBytes > reportedBytes }

    /// The limit that the body exceeds; nil if it exceeds none.
    var exceededLimit: DecompressionLimit? {
        guard let limit, limit.isExceeded(by: decodedBytes, from: encodedBytes) else { return nil }
        return limit
    }

    /// Decodes the body with `decoder`; nil for a body that is delivered as it is.
    mutating func start(_ decoder: ContentDecoder?, limit: DecompressionLimit?) {
        self.decoder = decoder
        if decoder != nil { self.limit = limit }
    }

    /// Frees the decoder's memory.
    mutating func end() {
        decoder = nil
    }

    /// Whether all of `count` bytes that libcurl delivers again were already decoded.
    ///
    /// libcurl may split the bytes differently when it delivers them again.
    mutating func skipsRepeated(_ count: Int) -> Bool {
        guard bytesAhead > count else { return false }
        bytesAhead -= count
        return true
    }

    /// Decodes the next piece of `bytes`, without those that were already decoded.
    mutating func decode(
        _ bytes: Span<UInt8>,
        by decoder: ContentDecoder,
        into piece: inout [UInt8],
        size: Int
    ) throws(DecodingFailure) -> ContentDecoder.Progress {
        piece.removeAll(keepingCapacity: true)
        var progress = ContentDecoder.Progress()
        let start = bytesAhead
        try piece.append(addingCapacity: size) { output throws(DecodingFailure) in
            progress = try decoder.decode(bytes.extracting(start...), into: &output)
        }
        // libcurl delivers bytes that yield no more only once.
        bytesAhead = progress.isDrained ? 0 : start + progress.taken
        encodedBytes += Int64(progress.taken)
        // Bytes between combined codings may yield no output but cost much time.
        decodedBytes += Int64(piece.count + progress.work * Self.limitWeight)
        return progress
    }

    /// Records that the delegate is notified of all received bytes.
    mutating func reported() {
        reportedBytes = encodedBytes
    }
}
