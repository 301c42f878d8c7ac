/// A coding of a response's content (RFC 9110, section 8.4.1).
package enum ContentCoding: Sendable, CaseIterable {
    /// A zlib stream (RFC 1950), or bare deflate (RFC 1951), which some servers send.
    case deflate
    /// One or more gzip members (RFC 1952).
    case gzip
    /// Brotli (RFC 7932).
    case brotli
    /// One or more Zstandard frames (RFC 8878), with windows of at most 8 MB (RFC 9659).
    case zstandard

    /// The coding's name in header fields.
    package var name: String {
        switch self {
        case .deflate: "deflate"
        case .gzip: "gzip"
        case .brotli: "br"
        case .zstandard: "zstd"
        }
    }

    /// The codings that this process can decode.
    ///
    /// zlib's are always available, the others if libcurl was built with them.
    package static let available: [ContentCoding] = allCases.filter(\.isAvailable)

    /// ``available`` as the value of an `Accept-Encoding` field.
    package static let accepted = available.map(\.name).joined(separator: ", ")

    /// The coding with this lower-case name; nil if it can't be decoded.
    init?(name: some StringProtocol) {
        let found = Self.available.first { $0.name == name }
        // RFC 9110, section 8.4.1.3.
        guard let coding = name == "x-gzip" ? .gzip : found else { return nil }
        self = coding
    }

    /// Whether a decoder may need megabytes: 16 MB for Brotli, 8 MB for Zstandard.
    var hasLargeWindow: Bool {
        switch self {
        case .deflate, .gzip: false
        case .brotli, .zstandard: true
        }
    }

    private var isAvailable: Bool {
        switch self {
        case .deflate, .gzip: true
        case .brotli: BrotliDecoder.isAvailable
        case .zstandard: ZstandardDecoder.isAvailable
        }
    }

    func makeDecoder() -> (any StreamDecoder)? {
        switch self {
        case .deflate: Inflater(.deflate)
        case .gzip: Inflater(.gzip)
        case .brotli: BrotliDecoder()
        case .zstandard: ZstandardDecoder()
        }
    }
}
