internal import CurlTransport
internal import Foundation
internal import HTTPSemantics
internal import HTTPTypes

/// The next request to load, and how to load it.
struct LoadRequest: Sendable {
    private(set) var shared: SharedRequest
    var body: TaskBody
    /// The credentials to send. `nil` if no server or proxy asked for any.
    @Indirect var authorization: Authorization? = nil
    /// Whether a redirect has left the first origin. Its credentials must not be sent any more.
    var hasLeftOrigin: Bool
    /// The names of header fields that the interceptor has added or changed. `nil` for none.
    @Indirect var adaptedFields: [String]? = nil
    /// The step of a resumable upload. `nil` for other requests.
    var upload: UploadStep?

    init(
        _ request: SharedRequest,
        body: TaskBody,
        hasLeftOrigin: Bool = false,
        upload: UploadStep? = nil
    ) {
        shared = request
        self.body = body
        self.hasLeftOrigin = hasLeftOrigin
        self.upload = upload
    }

    var request: URLRequest {
        get { shared.value }
        set { shared = SharedRequest(newValue) }
    }

    /// Returns a copy with another body.
    func with(_ body: TaskBody) -> LoadRequest {
        var plan = self
        plan.body = body
        return plan
    }
}

extension LoadRequest {
    /// The body's length in bytes; -1 if unknown. Reads the disk for a file.
    var bodyLength: Int64 {
        if case .none = body { 0 } else { body.length(of: request) }
    }

    /// The current version of the file, if its upload can be resumed. Reads the disk.
    var fileVersion: FileVersion? {
        guard upload == .whole, case .file(let url) = body else { return nil }
        return FileVersion(of: url)
    }
}

/// A request shared by a task and its loads. Copying one reference is cheaper than copying the
/// dozen references in a request.
final class SharedRequest: Sendable {
    let value: URLRequest

    init(_ value: URLRequest) {
        self.value = value
    }
}

// MARK: - The request of the transport

extension LoadRequest {
    /// Returns the request that is sent: with the fields and cookies of the session, and without
    /// those that the transport sets.
    ///
    /// - Throws: The fault of the URL, the method or a field; nothing is sent then.
    func httpRequest(_ settings: SessionSettings) throws(TransportError) -> HTTPRequest {
        guard let url = request.url else {
            throw .invalidURL("the request has no URL; set one")
        }
        return try HTTPRequest(
            method: method(),
            url: Self.withoutUser(url.absoluteString, of: url),
            headerFields: fields(url, settings)
        )
    }

    private func method() throws(TransportError) -> HTTPRequest.Method {
        let name = request.state.method
        if name == "GET" { return .get }
        guard let method = HTTPRequest.Method(rawValue: name) else {
            throw .invalidRequest("the method has invalid characters")
        }
        return method
    }

    /// Removes the user name and password: they only answer challenges.
    private static func withoutUser(
        _ text: String,
        of url: URL
    ) throws(TransportError) -> String {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
        guard let bare = url.withoutUserInfo else {
            throw .invalidURL("it can't be parsed")
        }
        return bare.absoluteString
    }

    private func fields(
        _ url: URL,
        _ settings: SessionSettings
    ) throws(TransportError) -> HTTPFields {
        let lines = settings.fields(for: request).lines
        let known = settings.fieldNames.known
        var sent: [HTTPField] = []
        sent.reserveCapacity(lines.count + 1)
        for (index, line) in lines.enumerated() where isSent(line.name) {
            sent.append(try field(line, at: index, known, settings))
        }
        if let cookies = cookies(for: url, settings) {
            sent.removeAll { $0.name == .cookie }
            sent.append(try HTTPField(.cookie, validating: cookies))
        }
        // One replacement: appending the fields one by one would cost more than everything else
        // here.
        var fields = HTTPFields()
        fields.reserveCapacity(sent.count + 1)
        fields.replaceSubrange(0..<0, with: sent)
        if let basic = authorization?.basicField { fields[.authorization] = basic }
        if upload == .whole { fields.append(contentsOf: UploadProtocol.offer) }
        return fields
    }

    private func field(
        _ line: HeaderLine,
        at index: Int,
        _ known: [HTTPField.Name],
        _ settings: SessionSettings
    ) throws(TransportError) -> HTTPField {
        guard let name = settings.fieldNames.name(line.name, at: index, among: known) else {
            // This initializer's error describes the fault.
            return try HTTPField(validating: line.name, value: line.value)
        }
        return try HTTPField(name, validating: line.value)
    }

    /// Whether a header field is sent.
    ///
    /// The transport sets the fields that frame the body, except the length of a stream. The
    /// session's additional credential fields aren't sent to another origin.
    private func isSent(_ name: String) -> Bool {
        switch name.utf8.count {
        case 14 where name.equalsIgnoringASCIICase("Content-Length"):
            guard case .stream = body else { return false }
            return true
        case 17 where name.equalsIgnoringASCIICase("Transfer-Encoding"):
            return false
        default:
            guard hasLeftOrigin, RedirectedRequest.isCredential(name) else { return true }
            return request.value(forHTTPHeaderField: name) != nil
        }
    }

    /// The `Cookie` value: stored cookies replace those in the request.
    private func cookies(for url: URL, _ settings: SessionSettings) -> String? {
        guard settings.httpShouldSetCookies, request.httpShouldHandleCookies,
            let storage = settings.httpCookieStorage, !storage.isEmptyForSure
        else { return nil }
        return storage.fieldValue(for: url, mainDocumentURL: request.mainDocumentURL)
    }
}
