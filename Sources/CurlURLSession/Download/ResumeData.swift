internal import Foundation

/// With what a cancelled download goes on: its request, its file, and by what the server's content is
/// known again.
struct ResumeData: Sendable, Codable {
    private static let version = 1

    private var version = Self.version
    private let url: URL
    private let fields: [Field]
    /// `ETag` or `Last-Modified` of the response (RFC 9110, 13.1.5).
    private let validator: String
    /// Where the bytes are that have come.
    let file: URL
    /// How many of them there are.
    let offset: Int64

    /// Those that ask for a part, and are set anew each time.
    private static let ownFields = ["Range", "If-Range", "Accept-Encoding"]

    private struct Field: Codable {
        let name: String
        let value: String
    }

    /// Reads what ``encoded`` wrote; `nil` for anything else, and where the file isn't there any more.
    init?(_ data: Data) {
        guard let decoded = try? JSONDecoder().decode(Self.self, from: data),
            decoded.version == Self.version, decoded.offset > 0,
            let size = DownloadFile.size(ofLeft: decoded.file), size >= decoded.offset
        else { return nil }
        self = decoded
    }

    /// Of a download that has come so far; `nil` where it can't go on later.
    ///
    /// That is where the response can't be told from a later one, where the server says that it sends
    /// no parts, where the content was coded, and for a request that isn't a plain `GET`.
    init?(request: URLRequest, response: HTTPURLResponse, file: URL, offset: Int64) {
        guard offset > 0, request.httpMethod == "GET", let url = request.url,
            response.statusCode == 200 || response.statusCode == 206,
            response.fields.values("Content-Encoding").isEmpty,
            response.value(forHTTPHeaderField: "Accept-Ranges")?.lowercased() != "none",
            let validator = Self.validator(of: response)
        else { return nil }
        self.url = url
        fields = (request.state.headerFields?.lines ?? [])
            .filter { line in
                !Self.ownFields.contains { $0.equalsIgnoringASCIICase(line.name) }
            }
            .map { Field(name: $0.name, value: $0.value) }
        self.validator = validator
        self.file = file
        self.offset = offset
    }

    /// A weak tag doesn't say that the bytes are the same, nor does the date of what was changed
    /// within the second in which it was sent (RFC 9110, 8.8.2.2).
    static func validator(of response: HTTPURLResponse) -> String? {
        if let tag = response.value(forHTTPHeaderField: "ETag"), isStrong(tag) { return tag }
        guard let text = response.value(forHTTPHeaderField: "Last-Modified") else { return nil }
        let now = Date()
        let sent =
            response.value(forHTTPHeaderField: "Date")
            .flatMap { HTTPDate.date(from: $0, near: now) } ?? now
        guard let changed = HTTPDate.date(from: text, near: now),
            sent.timeIntervalSince(changed) >= 1
        else { return nil }
        return text
    }

    private static func isStrong(_ tag: String) -> Bool { tag.hasPrefix("\"") }

    /// What the user is given.
    var encoded: Data? { try? JSONEncoder().encode(self) }

    /// The request for all of it.
    var wholeRequest: URLRequest {
        var request = URLRequest(url: url)
        for field in fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
        return request
    }

    /// A request for the rest that asks for all.
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
        // Of coded content, the offset would be another one.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        return request
    }

    enum Answer: Equatable {
        /// The response has the rest; so many bytes in all, -1 where that isn't known.
        case goesOn(total: Int64)
        /// The response has all of it, or is about something else.
        case startsAnew
    }

    /// What a response to ``request`` means (RFC 9110, 14.4 and 15.3.7).
    func answer(to response: LoadedResponse) -> Answer {
        guard response.statusCode == 206, let text = response.value(of: "Content-Range"),
            let match = text.wholeMatch(of: /\s*bytes\s+([0-9]+)-([0-9]+)\/([0-9]+|\*)\s*/),
            Int64(match.1) == offset, isOfSameContent(response)
        else { return .startsAnew }
        return .goesOn(total: Int64(match.3) ?? -1)
    }

    /// A server that doesn't know `If-Range` sends the part of what there is now.
    private func isOfSameContent(_ response: LoadedResponse) -> Bool {
        let codings = response.values(of: "Content-Encoding")
        guard codings.allSatisfy({ $0.equalsIgnoringASCIICase("identity") }) else { return false }
        guard Self.isStrong(validator), let tag = response.value(of: "ETag") else { return true }
        return tag == validator
    }

    /// Whether nobody can go on with the file any more, now that the content has come anew, or is
    /// gone.
    func isVoid(after response: LoadedResponse) -> Bool {
        guard let status = response.statusCode else { return true }
        return status < 300 || status == 404 || status == 410
    }
}
