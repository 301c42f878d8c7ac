internal import CurlTransport
internal import Foundation
internal import HTTPSemantics
internal import HTTPTypes

/// The next request to load, and how to load it.
struct LoadRequest: Sendable {
    /// Its URL is absolute.
    var request: URLRequest
    var body: TaskBody
    /// The credentials to send. `nil` if no server or proxy asked for any.
    @Indirect var authorization: Authorization? = nil
    /// Whether a redirect has left the first origin. Its credentials must not be sent any more.
    var hasLeftOrigin: Bool
    /// Whether a redirect led to a scheme other than `http` and `https`. Then only a `URLProtocol`
    /// may load the request.
    var hasLeftHTTP = false
    /// The names of header fields that the interceptor has added or changed. `nil` for none.
    @Indirect var adaptedFields: [String]? = nil
    /// The step of a resumable upload. `nil` for other requests.
    var upload: UploadStep?

    init(
        _ request: URLRequest,
        body: TaskBody,
        hasLeftOrigin: Bool = false,
        upload: UploadStep? = nil
    ) {
        self.request = request.resolved
        self.body = body
        self.hasLeftOrigin = hasLeftOrigin
        self.upload = upload
    }

    /// Returns a copy with another body.
    func with(_ body: TaskBody) -> LoadRequest {
        var loadRequest = self
        loadRequest.body = body
        return loadRequest
    }
}

extension LoadRequest {
    /// Whether the body is sent.
    ///
    /// The body of a `HEAD` isn't: it has no meaning (RFC 9110, 9.3.2). An empty body of a `GET` or
    /// `TRACE` counts as none.
    private var sendsBody: Bool {
        TaskBody.isSent(with: request.state.method, isEmpty: body.isEmptyData)
    }

    /// The body's length in bytes; -1 if unknown. Reads the disk for a file.
    var bodyLength: Int64 {
        if case .none = body { return 0 }
        return sendsBody ? body.length(of: request) : 0
    }

    /// Returns the body that is sent, in the transport's form.
    ///
    /// - Parameter client: Gets the error if a stream fails.
    func requestBody(client: TaskCore) throws(TransportError) -> RequestBody {
        guard sendsBody else { return .none }
        return try body.requestBody(of: request, client: client)
    }

    /// The current version of the file, if its upload can be resumed. Reads the disk.
    var fileVersion: FileVersion? {
        guard upload == .whole, case .file(let url) = body else { return nil }
        return FileVersion(of: url)
    }
}

// MARK: - The request of the transport

extension LoadRequest {
    /// Returns the request that is sent: with the fields and cookies of the session, and without
    /// those that the transport sets.
    ///
    /// - Parameter isUpload: Whether an upload task sends it, whose body isn't the request's own.
    /// - Throws: The fault of the URL, the method or a field; nothing is sent then.
    func httpRequest(
        _ settings: SessionSettings,
        isUpload: Bool = false
    ) throws(TransportError) -> HTTPRequest {
        guard let url = request.url else {
            throw .unsupportedURL("the request has no URL; set one")
        }
        do throws(TransportError) {
            return try HTTPRequest(
                method: method(),
                url: Self.withoutUser(url.absoluteString, of: url),
                headerFields: fields(url, settings, isUpload: isUpload)
            )
        } catch {
            guard error.code == .invalidURL, url.scheme == nil else { throw error }
            throw .unsupportedURL("the URL has no scheme, such as https")
        }
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
        let bytes = text.utf8.span
        guard bytes.indices.contains(where: { bytes[$0] == UInt8(ascii: "@") }) else { return text }
        guard let bare = url.withoutUserInfo else {
            throw .invalidURL("it can't be parsed")
        }
        return bare.absoluteString
    }

    private func fields(
        _ url: URL,
        _ settings: SessionSettings,
        isUpload: Bool
    ) throws(TransportError) -> HTTPFields {
        let given = settings.fields(for: request)
        let lines = given.lines
        let known = settings.fieldNames.known
        var sent: [HTTPField] = []
        sent.reserveCapacity(lines.count + 2)
        for (index, line) in lines.enumerated() where isSent(line.name) {
            sent.append(try field(line, at: index, known, settings))
        }
        if let type = settings.addedContentType(
            for: request,
            with: given,
            isStream: isStream,
            isUpload: isUpload
        ) {
            sent.append(HTTPField(name: .contentType, value: type))
        }
        if let language = AddedFields.language(lackedBy: given) {
            sent.append(HTTPField(name: .acceptLanguage, value: language))
        }
        if let cookies = cookies(for: url, settings) {
            sent.removeAll { $0.name == .cookie }
            sent.append(try HTTPField(.cookie, validating: cookies))
        }
        // One replacement: appending the fields one by one would cost more than everything else
        // here.
        var fields = HTTPFields()
        fields.reserveCapacity(sent.count + 1)
        fields.replaceSubrange(0..<0, with: SentFields(sent))
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
        do throws(TransportError) {
            return try HTTPField(name, validating: line.value)
        } catch {
            guard let value = line.value.unfoldedFieldValue else { throw error }
            return try HTTPField(name, validating: value)
        }
    }

    /// Whether a header field is sent.
    ///
    /// The transport sets the fields that frame the body, except a length that only the request
    /// states. The session's additional credential fields aren't sent to another origin.
    private func isSent(_ name: String) -> Bool {
        switch name.utf8.count {
        case 14 where name.equalsIgnoringASCIICase("Content-Length"):
            return body.takesLengthFromRequest && sendsBody
        case 17 where name.equalsIgnoringASCIICase("Transfer-Encoding"):
            return false
        default:
            guard hasLeftOrigin, RedirectedRequest.isCredential(name) else { return true }
            return request.value(forHTTPHeaderField: name) != nil
        }
    }

    private var isStream: Bool {
        if case .stream = body { true } else { false }
    }

    /// How a server's request for a client certificate is handled if there is a delegate.
    ///
    /// The delegate is asked once. With a stream, which can be sent only once, it isn't asked.
    var certificateRequests: CertificateRequests {
        if authorization?.declinesIdentity ?? false { return .declined }
        return isStream ? .ignored : .asked
    }

    /// The `Cookie` value: stored cookies replace those in the request.
    private func cookies(for url: URL, _ settings: SessionSettings) -> String? {
        guard settings.httpShouldSetCookies, request.httpShouldHandleCookies,
            let storage = settings.httpCookieStorage, !storage.isEmptyForSure
        else { return nil }
        return storage.fieldValue(for: url, mainDocumentURL: request.mainDocumentURL)
    }
}

// MARK: - The body

/// The source of a task's request body.
enum TaskBody: Sendable {
    case none
    case data(Data)
    case file(URL)
    /// The part of a file from an offset to its end.
    case fileRest(URL, from: Int64)
    /// Can be read only once.
    case stream(BodyStream)
    // Indirect, because each task has room for the largest case, and few upload a sequence.
    indirect case sequence(UploadSequence)
    /// The delegate provides a stream.
    case asked

    init(_ content: BodyContent) {
        switch content {
        case .none: self = .none
        case .data(let data): self = .data(data)
        case .stream(let stream): self = .stream(stream)
        }
    }

    /// The body for sending the request again. A stream is used up, so the delegate must provide
    /// another.
    var forAnotherTime: TaskBody {
        if case .stream = self { .asked } else { self }
    }

    var isAsked: Bool {
        if case .asked = self { true } else { false }
    }

    /// Whether it is a sequence that was begun, and can't be sent again.
    var isUsedUp: Bool {
        if case .sequence(let sequence) = self { !sequence.canBeSent } else { false }
    }

    /// Whether it is an asynchronous sequence. The delegate can't replace it with a stream.
    var isSequence: Bool {
        if case .sequence = self { true } else { false }
    }

    /// Whether the request's `Content-Length` is the body's length.
    ///
    /// It is that of a stream, and of a sequence whose owner hasn't stated one.
    var takesLengthFromRequest: Bool {
        switch self {
        case .stream: true
        case .sequence(let sequence): sequence.length == nil
        case .none, .data, .file, .fileRest, .asked: false
        }
    }

    /// Whether it is data without a byte.
    var isEmptyData: Bool {
        if case .data(let data) = self { data.isEmpty } else { false }
    }

    /// Whether a body is sent with a method.
    static func isSent(with method: String, isEmpty: Bool) -> Bool {
        switch method {
        case "HEAD": false
        case "GET", "TRACE": !isEmpty
        default: true
        }
    }
}

extension TaskBody {
    /// The largest body passed to the transport in one piece, in bytes. Larger ones are passed in
    /// slices, so that the transport doesn't hold a second copy.
    private static let largest = 1 << 20

    /// Returns the body in the transport's form.
    ///
    /// - Parameter client: Gets the error if a stream or a sequence fails.
    /// - Throws: The fault of a file's URL, or that a sequence can't be sent again.
    func requestBody(
        of request: URLRequest,
        client: TaskCore
    ) throws(TransportError) -> RequestBody {
        switch self {
        case .none, .asked:
            return .none
        case .data(let data) where data.count <= Self.largest:
            return .bytes([UInt8](data))
        case .data(let data):
            return .stream(
                length: Int64(data.count),
                restartable: { DataSlices(data, size: Self.largest / 4) }
            )
        case .file(let url):
            return try Self.content(of: url, from: 0)
        case .fileRest(let url, let offset):
            return try Self.content(of: url, from: offset)
        case .stream(let stream):
            let length = length(of: request)
            let didFail: @Sendable (any Error) -> Void = { [weak client] in client?.bodyFailed($0) }
            guard stream.isRestartable else {
                return .stream(
                    length: length < 0 ? nil : length,
                    BodyStreamChunks(stream, didFail: didFail)
                )
            }
            return .stream(
                length: length < 0 ? nil : length,
                restartable: { BodyStreamChunks(stream.restarted ?? stream, didFail: didFail) }
            )
        case .sequence(let sequence):
            guard sequence.canBeSent else { throw .bodyNotReplayable }
            return sequence.requestBody { [weak client] in client?.bodyFailed($0) }
        }
    }

    private static func content(
        of url: URL,
        from offset: Int64
    ) throws(TransportError) -> RequestBody {
        guard url.isFileURL else {
            throw .requestBodyFailed("\(url.absoluteString) isn't a file URL")
        }
        return .file(path: url.path, from: offset)
    }

    private var file: URL? {
        switch self {
        case .file(let url), .fileRest(let url, _): url
        case .none, .data, .stream, .sequence, .asked: nil
        }
    }

    /// The reason why the file to upload can't be read. `nil` if it can, and for other bodies.
    var fileError: URLError? {
        guard let url = file, url.isFileURL,
            !FileManager.default.isReadableFile(atPath: url.path)
        else { return nil }
        let exists = FileManager.default.fileExists(atPath: url.path)
        return URLError(
            exists ? .noPermissionsToReadFile : .fileDoesNotExist,
            url: url,
            reason: exists
                ? "the file to upload can't be read." : "the file to upload doesn't exist."
        )
    }

    /// The length in bytes; -1 if unknown.
    func length(of request: URLRequest) -> Int64 {
        switch self {
        case .none:
            0
        case .data(let data):
            Int64(data.count)
        case .file(let url):
            Self.size(of: url) ?? -1
        case .fileRest(let url, let offset):
            Self.size(of: url).map { max(0, $0 - offset) } ?? -1
        case .stream(let stream):
            Self.length(announcedBy: request) ?? stream.length ?? -1
        case .sequence(let sequence):
            sequence.length ?? Self.length(announcedBy: request) ?? -1
        case .asked:
            Self.length(announcedBy: request) ?? -1
        }
    }

    private static func size(of url: URL) -> Int64? {
        (try? FileManager.default.attributesOfItem(atPath: url.path))
            .flatMap { $0[.size] as? UInt64 }.map { Int64(clamping: $0) }
    }

    /// The length in the request's `Content-Length`.
    private static func length(announcedBy request: URLRequest) -> Int64? {
        request.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }
            .flatMap { $0 < 0 ? nil : $0 }
    }
}
