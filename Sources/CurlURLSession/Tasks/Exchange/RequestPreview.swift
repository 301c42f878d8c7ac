internal import CurlTransport
package import Foundation
internal import HTTPSemantics
internal import HTTPTypes
internal import Synchronization

/// The request that a session would send, computed without sending anything.
package struct RequestPreview: Sendable {
    /// A header field as it is sent.
    package struct Field: Sendable, Hashable {
        package let name: String
        package let value: String
    }

    /// The source of the body.
    package enum Body: Sendable {
        case none
        case data(Data)
        case file(URL)
        case stream
    }

    /// The user to authenticate.
    package struct User: Sendable, Hashable {
        package let name: String
        package let password: String
        /// Whether the credentials are sent before the server asks for them.
        package var isPreemptive = false
    }

    /// A proxy, and the hosts that are reached without it.
    package struct Proxy: Sendable, Hashable {
        /// In libcurl's form.
        package let url: String
        package let user: User?
        package let exceptions: [String]
    }

    /// The requested version of HTTP.
    package enum Version: Sendable, Hashable {
        case automatic
        case http1
        case http2
        case http2PriorKnowledge
        case http3
    }

    /// Without user name and password.
    package let url: URL
    package let method: String
    /// Without cookies and the fields that frame the body.
    package internal(set) var fields: [Field]
    package let cookies: String?
    package let user: User?
    package internal(set) var body: Body
    package let version: Version
    package let proxy: Proxy?
    /// Whether environment variables choose the proxies.
    package let usesEnvironmentProxies: Bool
}

extension URLSession {
    /// Returns the request as this session would send it. `nil` without a URL.
    package func preview(of request: URLRequest) -> RequestPreview? {
        var preview = RequestPreview(request, core.settings, core.protection)
        preview?.complete(as: request, core.settings)
        return preview
    }

    /// Returns a task's original request with the task's body. `nil` without a URL.
    package func preview(of task: URLSessionTask) -> RequestPreview? {
        let (request, body, isUpload) = task.core.state.withLock {
            ($0.exchange.originalRequest, $0.exchange.body, $0.kind.isUpload)
        }
        guard let request,
            var preview = RequestPreview(request, core.settings, core.protection)
        else { return nil }
        switch body {
        case .none: preview.body = .none
        case .data(let data): preview.body = .data(data)
        case .file(let url): preview.body = .file(url)
        case .fileRest, .stream, .sequence, .asked: preview.body = .stream
        }
        preview.complete(
            as: request,
            core.settings,
            isUpload: isUpload,
            isSequence: body.isSequence
        )
        if isUpload { preview.offerToResume(core.settings) }
        return preview
    }
}

extension URLRequest {
    /// The request as sent without a session's additions; `nil` without a URL.
    package var preview: RequestPreview? {
        let settings = URLSessionConfiguration.ephemeral.frozen()
        var preview = RequestPreview(self, settings, nil)
        preview?.complete(as: self, settings)
        return preview
    }
}

extension RequestPreview {
    fileprivate init?(
        _ request: URLRequest,
        _ settings: SessionSettings,
        _ protection: PreemptiveCredentials?
    ) {
        guard let url = request.url?.absoluteURL, let bare = url.withoutUserInfo else { return nil }
        self.url = bare
        method = request.state.method
        let given = settings.fields(for: request)
        fields = given.lines
            .filter { !Self.isFraming($0.name) }
            .map { Field(name: $0.name, value: $0.value.unfoldedFieldValue ?? $0.value) }
        let options = try? settings.transferOptions(for: request)
        if !fields.contains(where: { $0.name.equalsIgnoringASCIICase("User-Agent") }),
            let agent = options?.userAgent
        {
            fields.append(Field(name: "User-Agent", value: agent))
        }
        if let language = AddedFields.language(lackedBy: given) {
            fields.append(Field(name: "Accept-Language", value: language))
        }
        let handlesCookies = settings.httpShouldSetCookies && request.httpShouldHandleCookies
        cookies =
            handlesCookies
            ? settings.httpCookieStorage?.fieldValue(
                for: url,
                mainDocumentURL: request.mainDocumentURL
            ) : nil
        if cookies != nil { fields.removeAll { $0.name.equalsIgnoringASCIICase("Cookie") } }
        let hasOwnAuthorization = fields.contains {
            $0.name.equalsIgnoringASCIICase("Authorization")
        }
        user = hasOwnAuthorization ? nil : Self.user(at: url, settings, protection)
        body =
            switch request.state.body {
            case .none: .none
            case .data(let data): .data(data)
            case .stream: .stream
            }
        version = Version(options?.httpVersion ?? .automatic)
        proxy = options.flatMap { Proxy($0.proxy, isSecure: url.isSecure) }
        usesEnvironmentProxies = options?.proxy == .environment
    }

    private static func isFraming(_ name: String) -> Bool {
        name.equalsIgnoringASCIICase("Content-Length")
            || name.equalsIgnoringASCIICase("Transfer-Encoding")
    }

    /// The user whose credentials would answer a challenge.
    ///
    /// It is the URL's user, or one stored for the host.
    private static func user(
        at url: URL,
        _ settings: SessionSettings,
        _ protection: PreemptiveCredentials?
    ) -> User? {
        if let space = protection?.space(of: url),
            let known = settings.urlCredentialStorage?.proposal(for: space)
        {
            return User(known, isPreemptive: true)
        }
        if let own = url.credential { return User(own) }
        let port = url.port ?? (url.isSecure ? 443 : 80)
        let spaces = settings.urlCredentialStorage?.allCredentials.keys.filter { space in
            space.host == url.host() && space.port == port && !space.isProxy()
        }
        return (spaces ?? []).lazy
            .compactMap { settings.urlCredentialStorage?.defaultCredential(for: $0) }
            .compactMap { User($0) }.first
    }

    /// Adds the `Content-Type` that the session adds, and removes a body that isn't sent.
    ///
    /// - Parameters:
    ///   - isUpload: Whether an upload task sends the request.
    ///   - isSequence: Whether the body is a sequence, which isn't sent as a form.
    fileprivate mutating func complete(
        as request: URLRequest,
        _ settings: SessionSettings,
        isUpload: Bool = false,
        isSequence: Bool = false
    ) {
        var (isStream, isEmpty) = (false, false)
        switch body {
        case .none, .file: break
        case .data(let data): isEmpty = data.isEmpty
        case .stream: isStream = !isSequence
        }
        if !TaskBody.isSent(with: method, isEmpty: isEmpty) { body = .none }
        let given = settings.fields(for: request)
        if let type = settings.addedContentType(
            for: request,
            with: given,
            isStream: isStream,
            isUpload: isUpload
        ) {
            fields.append(Field(name: "Content-Type", value: type))
        }
    }

    /// Adds the fields that offer a resumable upload.
    fileprivate mutating func offerToResume(_ settings: SessionSettings) {
        let lines = fields.map { HeaderLine(name: $0.name, value: $0.value) }
        switch body {
        case .none, .stream: return
        case .data, .file: break
        }
        guard settings.allowsResumableUploads, !["GET", "HEAD"].contains(method),
            !UploadProtocol.isUsed(by: RequestHeaderFields(lines))
        else { return }
        fields += UploadProtocol.offer.map { Field(name: $0.name.rawName, value: $0.value) }
    }
}

extension RequestPreview.User {
    fileprivate init?(_ credential: URLCredential, isPreemptive: Bool = false) {
        guard let user = credential.user else { return nil }
        self.init(
            name: user,
            password: credential.password ?? "",
            isPreemptive: isPreemptive
        )
    }
}

extension RequestPreview.Version {
    fileprivate init(_ policy: HTTPVersionPolicy) {
        switch policy {
        case .automatic: self = .automatic
        case .http1: self = .http1
        case .http2: self = .http2
        case .http2PriorKnowledge: self = .http2PriorKnowledge
        case .http3: self = .http3
        }
    }
}

extension RequestPreview.Proxy {
    fileprivate init?(_ policy: ProxyPolicy, isSecure: Bool) {
        let exceptions: [String]
        switch policy {
        case .server(_, exceptions: let hosts), .servers(_, _, exceptions: let hosts):
            exceptions = hosts
        case .none, .environment:
            return nil
        }
        guard let server = policy.server(isSecure: isSecure) else { return nil }
        let host = server.host.contains(":") ? "[\(server.host)]" : server.host
        url = "\(server.kind.rawValue)://\(host):\(server.port)"
        user = server.credentials.map {
            RequestPreview.User(name: $0.user, password: $0.password, isPreemptive: true)
        }
        self.exceptions = exceptions
    }
}
