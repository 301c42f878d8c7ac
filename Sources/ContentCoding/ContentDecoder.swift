/// Decodes content according to its `Content-Encoding` (RFC 9110, section 8.4), piece by piece.
///
/// It never decodes more than fits into the output, whatever the ratio. The remaining bytes stay
/// compressed with the caller. Belongs to one thread at a time.
package final class ContentDecoder {
    /// The maximum number of combined codings. More are an attack. libcurl has the same limit.
    package static let maximumCodings = 5

    /// The maximum number of codings with windows of megabytes.
    ///
    /// One window takes up to 16 MB. A server has no reason to combine two such codings, except to
    /// use up memory.
    private static let maximumLargeWindows = 1

    /// The maximum memory in bytes that a decoder of ordinary bodies needs.
    ///
    /// Only what exceeds it is limited: libcurl itself may keep more than that of a transfer.
    package static let smallMemory = 768 * 1024

    /// The number of bytes that are decoded at once between two codings.
    private static let pieceSize = 16 * 1024

    /// The maximum number of bytes between codings in one call.
    ///
    /// Empty deflate blocks are decoded at 2 to 6 MB/s, because each needs its own code tables.
    private static let maximumWork = 64 * 1024

    /// The progress of one call.
    package struct Progress {
        /// The number of consumed input bytes.
        package var taken = 0
        /// The number of bytes between codings.
        package var work = 0
        /// Whether all input was consumed and all its output was delivered.
        package var isDrained = false

        /// No progress.
        package init() {}
    }

    /// The output of one coding for the next.
    private struct Piece {
        var bytes: [UInt8] = []
        var place = 0

        var isEmpty: Bool { place == bytes.count }
    }

    private let names: [String]
    private var decoders: [any StreamDecoder] = []
    /// The output of each decoder except the last, which is the input of the next decoder.
    private var pieces: [Piece] = []
    private var isReady = false

    /// Creates a decoder for the values of all `Content-Encoding` fields, in order.
    ///
    /// `nil` if they contain only `identity`. An unknown coding is an error only when there is
    /// something to decode.
    package init?(_ values: [String]) {
        names = values.flatMap { $0.split(separator: ",") }
            .map { $0.trimmingWhiteSpace().lowercased() }
            .filter { !["", "identity", "none"].contains($0) }
        if names.isEmpty { return nil }
    }

    /// The index of the decoder whose output is the content.
    private var lastDecoder: Int { decoders.count - 1 }

    /// Whether the content may end here: all codings are complete, or there was no input.
    package var isComplete: Bool {
        decoders.allSatisfy(\.isComplete) && pieces.allSatisfy(\.isEmpty)
    }

    /// The maximum memory in bytes that the next calls may need for windows; 0 if it is small.
    ///
    /// It is known at the first byte of Brotli, and doesn't grow from then on. That of Zstandard
    /// grows once, from 0.
    package func memoryNeed(before input: Span<UInt8>) throws(DecodingFailure) -> Int {
        if !isReady { try prepare() }
        var need = 0
        for (number, decoder) in decoders.enumerated() {
            let first = number == 0 && !input.isEmpty ? input[0] : nil
            need = max(need, decoder.memoryNeed(before: first))
        }
        return need > Self.smallMemory ? need : 0
    }

    /// Whether windows use more memory than ``smallMemory``.
    package var usesLargeMemory: Bool { decoders.contains { $0.memoryUse > Self.smallMemory } }

    /// Decodes bytes and appends the result until the output is full.
    ///
    /// Unless the progress is drained, call again with the bytes that weren't consumed, even if
    /// there are none.
    package func decode(
        _ input: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) throws(DecodingFailure) -> Progress {
        if !isReady { try prepare() }
        var progress = Progress()
        try run(lastDecoder, input, &progress, into: &output)
        // If this call reached the work limit, a decoder may have pending output.
        let isInterrupted = !pieces.isEmpty && progress.work >= Self.maximumWork
        progress.isDrained =
            !isInterrupted && !output.isFull && progress.taken == input.count
            && pieces.allSatisfy(\.isEmpty)
        return progress
    }

    /// Creates the decoders, in the reverse order of the codings.
    private func prepare() throws(DecodingFailure) {
        guard names.count <= Self.maximumCodings else {
            throw DecodingFailure(
                "it has \(names.count) codings, and more than \(Self.maximumCodings) aren't decoded"
            )
        }
        var largeWindows = 0
        for name in names.reversed() {
            guard let coding = ContentCoding(name: name) else {
                throw DecodingFailure("its coding \"\(name.prefix(40))\" can't be decoded here")
            }
            if coding.hasLargeWindow { largeWindows += 1 }
            guard largeWindows <= Self.maximumLargeWindows else {
                throw DecodingFailure("it combines several of br and zstd, which isn't decoded")
            }
            guard let decoder = coding.makeDecoder() else {
                throw DecodingFailure("there is no memory")
            }
            decoders.append(decoder)
        }
        pieces = Array(repeating: Piece(), count: lastDecoder)
        isReady = true
    }

    /// Runs one decoder, and the preceding ones for its input.
    private func run(
        _ number: Int,
        _ input: Span<UInt8>,
        _ progress: inout Progress,
        into output: inout OutputSpan<UInt8>
    ) throws(DecodingFailure) {
        let before = output.count
        defer { if number < lastDecoder { progress.work += output.count - before } }
        guard number > 0 else {
            progress.taken += try decoders[0].decode(
                input.extracting(progress.taken...),
                into: &output
            )
            return
        }
        while !output.isFull, progress.work < Self.maximumWork {
            if pieces[number - 1].isEmpty { try refill(number - 1, input, &progress) }
            let piece = pieces[number - 1]
            pieces[number - 1].place += try decoders[number].decode(
                piece.bytes.span.extracting(piece.place...),
                into: &output
            )
            // Without new bytes, there is only the decoder's pending output.
            if piece.isEmpty { return }
        }
    }

    private func refill(
        _ number: Int,
        _ input: Span<UInt8>,
        _ progress: inout Progress
    ) throws(DecodingFailure) {
        var piece = Piece()
        swap(&piece, &pieces[number])
        piece.place = 0
        piece.bytes.removeAll(keepingCapacity: true)
        defer { swap(&piece, &pieces[number]) }
        try piece.bytes.append(addingCapacity: Self.pieceSize) {
            output throws(DecodingFailure) in
            try run(number, input, &progress, into: &output)
        }
    }
}

extension Substring {
    fileprivate func trimmingWhiteSpace() -> Substring {
        var rest = drop { $0 == " " || $0 == "\t" }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return rest
    }
}

/// A decoder of one coding, which consumes compressed bytes piece by piece.
protocol StreamDecoder: AnyObject {
    /// Whether the compressed bytes may end here: at the end of a stream, or before the first byte.
    var isComplete: Bool { get }

    /// The maximum memory in bytes that the next call may need, if `first` is the next byte.
    func memoryNeed(before first: UInt8?) -> Int

    /// The memory in bytes that is in use, at most.
    var memoryUse: Int { get }

    /// Decodes bytes until the input is consumed or the output full.
    ///
    /// If the output isn't full, all input was consumed and there is no pending output.
    ///
    /// - Returns: The number of consumed bytes.
    func decode(
        _ input: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) throws(DecodingFailure) -> Int
}

/// An error of decoding.
package struct DecodingFailure: Error, Equatable {
    /// The reason, as the end of a sentence.
    package let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
