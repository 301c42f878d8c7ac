internal import CurlTransport
internal import Foundation
internal import HTTPSemantics

/// The data to resume a download: request, partial file and validator.
struct ResumeData: Sendable, Codable {
    private static let version = 1

    private var version = Self.version
    private let url: URL
    private let fields: [Field]
    /// `ETag` or `Last-Modified` of the response (RFC 9110, 13.1.5).
    private let validator: String
    /// The partial file.
    let file: URL
    /// The number of bytes in it.
    let offset: Int64

    /// The fields that request a range. They are set again for each resumption.
    private static let ownFields = ["Range", "If-Range", "Accept-Encoding"]

    private struct Field: Codable {
        let name: String
        let value: String
    }

    /// Decodes ``encoded``; `nil` for other data, or if the file doesn't exist any more.
    init?(_ data: Data) {
        guard let decoded = try? JSONDecoder().decode(Self.self, from: data),
            decoded.version == Self.version, decoded.offset > 0,
            let size = DownloadFile.size(ofLeft: decoded.file), size >= decoded.offset
        else { return nil }
        self = decoded
    }

    /// Creates resume data for a partial download; `nil` if it can't be resumed.
    ///
    /// It can't if the response has no strong validator, if the server doesn't support ranges, if
    /// the body was encoded, or if the request isn't a plain `GET`.
    init?(request: URLRequest, response: HTTPURLResponse, file: URL, offset: Int64) {
        guard offset > 0, request.httpMethod == "GET", let url = request.url,
            response.statusCode == 200 || response.statusCode == 206,
            response.fields.values("Content-Encoding").isEmpty,
            response.value(forHTTPHeaderField: "Accept-Ranges")?.lowercased() != "none",
            let validator = response.strongValidator
        else { return nil }
        self.url = url
        fields = (request.state.headerFields?.lines ?? [])
            .filter { line in
                !Self.ownFields.contains { $0.equalsIgnoringASCIICase(line.name) }
            }
            .map { Field(name: $0.name, value: $0.value) }
        self.validator = validator.fieldValue
        self.file = file
        self.offset = offset
    }

    /// The data for the user.
    var encoded: Data? { try? JSONEncoder().encode(self) }

    /// The request for the whole content.
    var wholeRequest: URLRequest {
        var request = URLRequest(url: url)
        for field in fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
        return request
    }

    /// Turns a request for the rest into one for the whole content.
    static func wholeRequest(of rest: URLRequest) -> URLRequest {
        var request = rest
        for name in ownFields { request.setValue(nil, forHTTPHeaderField: name) }
        return request
    }

    /// The request for the rest.
    var request: URLRequest {
        var request = wholeRequest
        request.setValue("bytes=\(offset)-", forHTTPHeaderField: "Range")
        request.setValue(validator, forHTTPHeaderField: "If-Range")
        // The offset doesn't apply to encoded content.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        return request
    }

    enum Answer: Equatable {
        /// The response has the rest, or the start of it.
        case resumes(end: Int64, total: Int64)
        /// The response has the whole content, or is about something else.
        case restarts
    }

    /// What a response to ``request`` means (RFC 9110, 14.4 and 15.3.7).
    ///
    /// A part with an invalid `Content-Range` is never appended, nor is one whose length differs
    /// from it. The total length is required: otherwise a part of the rest could pass for all of
    /// it.
    func answer(to response: LoadedResponse) -> Answer {
        guard response.statusCode == 206,
            let part = ContentRange(lines: response.values(of: "Content-Range")),
            part.range.lowerBound == offset, let total = part.length, isOfSameContent(response)
        else { return .restarts }
        let length = response.contentLength
        guard length < 0 || length == part.range.upperBound - offset else { return .restarts }
        return .resumes(end: part.range.upperBound, total: total)
    }

    /// Whether the part is of the same content. A server that doesn't support `If-Range` sends a
    /// part of its present content.
    private func isOfSameContent(_ response: LoadedResponse) -> Bool {
        let codings = response.values(of: "Content-Encoding")
        guard codings.allSatisfy({ $0.equalsIgnoringASCIICase("identity") }) else { return false }
        return !StrongValidator(fieldValue: validator).isContradicted { response.value(of: $0) }
    }

    /// Whether the partial file can't be resumed any more. The content was sent again in full, or
    /// is gone.
    func isVoid(after response: LoadedResponse) -> Bool {
        guard let status = response.statusCode else { return true }
        return status < 300 || status == 404 || status == 410
    }
}
