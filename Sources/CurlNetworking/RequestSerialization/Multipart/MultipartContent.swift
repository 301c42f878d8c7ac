internal import CurlURLSession
internal import Foundation
internal import HTTPSemantics

/// A completed multipart form, which any number of streams can read.
struct MultipartContent: Sendable {
    /// A piece of the form; the pieces are sent in order.
    enum Piece: Sendable {
        /// Boundaries and headers.
        case bytes(Data)
        case body(MultipartPart)
    }

    let pieces: [Piece]
    /// The length of the form in bytes.
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
        // The caller may announce any length for a stream, so the sum may overflow.
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
    /// Encodes the text.
    ///
    /// UTF-8 is used if the encoding lacks one of its characters.
    func encoded(in encoding: Encoding) -> Data {
        data(using: encoding) ?? Data(utf8)
    }
}

/// A part of a multipart form: headers and the body's source.
struct MultipartPart: Sendable {
    enum Body: Sendable {
        case data(Data)
        case file(URL)
        case stream(MultipartStreamSource)
    }

    /// The part's name in error messages.
    let label: String
    /// The header lines and the empty line after them.
    let header: Data
    let body: Body
    /// The length of the body in bytes.
    let length: Int64
}
