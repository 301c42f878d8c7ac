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
    /// The length of the whole content in bytes; `nil` if it is unknown.
    private let total: Int64?

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
    /// It can't if the response has no validator for that, or if the request isn't a plain `GET`.
    init?(
        request: URLRequest,
        response: HTTPURLResponse,
        file: URL,
        offset: Int64,
        total: Int64? = nil
    ) {
        guard offset > 0, request.httpMethod == "GET", let url = request.url,
            response.statusCode == 200 || response.statusCode == 206,
            let validator = response.resumeValidator
        else { return nil }
        self.url = url
        fields = (request.state.headerFields?.lines ?? [])
            .filter { line in
                !RangeRequest.fieldNames.contains { $0.equalsIgnoringASCIICase(line.name) }
            }
            .map { Field(name: $0.name, value: $0.value) }
        self.validator = validator.fieldValue
        self.file = file
        self.offset = offset
        self.total = total
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
        for name in RangeRequest.fieldNames { request.setValue(nil, forHTTPHeaderField: name) }
        return request
    }

    /// The request for the rest.
    var request: URLRequest {
        var request = wholeRequest
        for field in rest.fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
        return request
    }

    private var rest: RangeRequest {
        RangeRequest(
            from: offset,
            length: total,
            validator: StrongValidator(fieldValue: validator)
        )
    }

    enum Answer: Equatable {
        /// The response has the rest, or the start of it.
        case resumes(end: Int64, total: Int64)
        /// The response has the whole content, or is an error: it is the download's response.
        case restarts
        /// The response is unusable, and the whole content has to be requested.
        case requestsWholeContent
    }

    /// What a response to ``request`` means.
    ///
    /// The total length is required, from this response or an earlier one: otherwise a part of the
    /// rest could pass for all of it.
    func answer(to response: LoadedResponse) -> Answer {
        guard let status = response.statusCode else { return .restarts }
        let answer = rest.answer(
            status: status,
            bodyLength: response.contentLength < 0 ? nil : response.contentLength,
            values: response.values(of:)
        )
        switch answer {
        case .part(let part):
            guard let total = part.length ?? self.total else { return .requestsWholeContent }
            return .resumes(end: part.range.upperBound, total: total)
        case .unusablePart, .unsatisfiable, .nothingMissing:
            // Also if nothing is missing: the earlier response isn't stored, and clients that check
            // the status would discard the file of a 416.
            return .requestsWholeContent
        case .whole, .failure:
            return .restarts
        }
    }

    /// Whether the partial file can't be resumed any more. The content was sent again in full, or
    /// is gone.
    func isVoid(after response: LoadedResponse) -> Bool {
        guard let status = response.statusCode else { return true }
        return status < 300 || status == 404 || status == 410
    }
}
