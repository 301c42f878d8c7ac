internal import Foundation

/// What a `data:` URL stands for, to be read in pieces.
struct LocalData: LocalContent {
    let response: URLResponse
    private var rest: Data

    /// - Throws: `URLError` with `badURL` for a URL that can't be read.
    init(_ url: URL) throws {
        guard let data = DataURL(url) else {
            throw URLError(
                .badURL,
                url: url,
                reason: "the URL isn't one of RFC 2397, or what is coded in it can't be decoded"
            )
        }
        rest = data.content
        response = URLResponse(
            url: url,
            mimeType: data.mimeType,
            expectedContentLength: data.content.count,
            textEncodingName: data.textEncodingName
        )
    }

    mutating func next() -> Data? {
        guard !rest.isEmpty else { return nil }
        let piece = rest.prefix(LocalLoader.pieceSize)
        rest = rest.dropFirst(piece.count)
        return piece
    }
}
