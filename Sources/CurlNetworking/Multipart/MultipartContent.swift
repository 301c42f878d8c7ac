internal import CurlURLSession
internal import Foundation

/// A multipart form that is complete: what any number of streams read.
struct MultipartContent: Sendable {
    /// What is sent in one go, one after the other.
    enum Piece: Sendable {
        /// Boundaries and headers.
        case bytes(Data)
        case body(MultipartPart)
    }

    let pieces: [Piece]
    /// How many bytes there are in all.
    let length: Int64
    let pace: StreamPace?

    init(
        _ parts: [MultipartPart],
        boundary: MultipartBoundary,
        stringEncoding: String.Encoding,
        pace: StreamPace?
    ) {
        var pieces: [Piece] = []
        var length: Int64 = 0
        // A stream may be said to have any length.
        func count(_ bytes: Int64) {
            let (sum, hasOverflown) = length.addingReportingOverflow(bytes)
            length = hasOverflown ? .max : sum
        }
        func append(_ bytes: Data) {
            pieces.append(.bytes(bytes))
            count(Int64(bytes.count))
        }
        for (index, part) in parts.enumerated() {
            let delimiter = index == 0 ? boundary.initial : boundary.encapsulation
            append(delimiter.encoded(in: stringEncoding) + part.header)
            pieces.append(.body(part))
            count(part.length)
        }
        if !parts.isEmpty { append(boundary.final.encoded(in: stringEncoding)) }
        self.pieces = pieces
        self.length = length
        self.pace = pace
    }
}

extension String {
    /// Its bytes in an encoding, or in UTF-8 where that doesn't have all of its characters.
    func encoded(in encoding: Encoding) -> Data {
        data(using: encoding) ?? Data(utf8)
    }
}
