internal import Foundation
internal import HTTPSemantics

/// A cached response without its body, as it is written to disk.
struct ArchivedResponse: Codable {
    let url: String
    /// `nil` for a response that isn't HTTP.
    let statusCode: Int?
    let httpVersion: String?
    /// Alternating names and values.
    let fields: [String]
    let mimeType: String?
    let expectedContentLength: Int64
    let textEncodingName: String?
    let record: CacheRecord

    /// `nil` if the response has no URL or no record.
    init?(_ cached: CachedURLResponse) {
        guard let url = cached.response.url?.absoluteString, let record = cached.record else {
            return nil
        }
        let response = cached.response as? HTTPURLResponse
        self.url = url
        statusCode = response?.statusCode
        httpVersion = response?.httpVersion
        fields = response?.fields.lines.flatMap { [$0.name, $0.value] } ?? []
        mimeType = cached.response.mimeType
        expectedContentLength = cached.response.expectedContentLength
        textEncodingName = cached.response.textEncodingName
        self.record = record
    }

    /// `nil` if the bytes aren't an archived response.
    init?(_ data: Data) {
        guard let decoded = try? JSONDecoder().decode(ArchivedResponse.self, from: data) else {
            return nil
        }
        self = decoded
    }

    /// `nil` if the response can't be encoded.
    var data: Data? { try? JSONEncoder().encode(self) }

    /// The response with its body; `nil` if its URL is invalid.
    func cached(_ body: Data) -> CachedURLResponse? {
        guard let url = URL(string: url) else { return nil }
        return CachedURLResponse(response: response(url), data: body, record: record)
    }

    private func response(_ url: URL) -> URLResponse {
        guard let statusCode else {
            return URLResponse(
                url: url,
                mimeType: mimeType,
                expectedContentLength: Int(expectedContentLength),
                textEncodingName: textEncodingName
            )
        }
        let lines = stride(from: 0, to: fields.count - 1, by: 2).map {
            HeaderLine(name: fields[$0], value: fields[$0 + 1])
        }
        return HTTPURLResponse(
            url: url,
            statusCode: statusCode,
            httpVersion: httpVersion,
            fields: ResponseHeaderFields(lines)
        )
    }
}
