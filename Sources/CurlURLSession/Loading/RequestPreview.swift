internal import CurlTransport
package import Foundation
internal import HTTPTypes
internal import Synchronization

/// What a request comes to when it is sent: with what its session adds. Nothing is sent for it.
package struct RequestPreview: Sendable {
    /// A header field, as it goes over the wire.
    package struct Field: Sendable, Hashable {
        package let name: String
        package let value: String
    }

    /// Where the body comes from.
    package enum Body: Sendable {
        case none
        case data(Data)
        case file(URL)
        case stream
    }

    /// Who the client is.
    package struct User: Sendable, Hashable {
        package let name: String
        package let password: String
        /// Whether that is said before the server asks.
        package var isSentAtOnce = false
    }

    /// A proxy, and the hosts that are reached without it.
    package struct Proxy: Sendable, Hashable {
        /// As libcurl has it.
        package let url: String
        package let user: User?
        package let exceptions: [String]
    }

    /// Which version of HTTP is asked for, where one is.
    package enum Version: Sendable, Hashable {
        case usual
        case http1
        case http2
        case http2PriorKnowledge
        case http3
    }

    /// Without the user's name and password.
    package let url: URL
    package let method: String
    /// Cookies and what frames the body aren't among them.
    package internal(set) var fields: [Field]
    package let cookies: String?
    package let user: User?
    package internal(set) var body: Body
    package let version: Version
    package let proxy: Proxy?
    /// Whether the process' environment says which proxies are used.
    package let usesEnvironmentProxies: Bool
}

extension URLSession {
    /// What a request comes to; `nil` without a URL.
    package func preview(of request: URLRequest) -> RequestPreview? {
        RequestPreview(request, core.settings, core.protection)
    }

    /// What a task's original request comes to, with the body that the task sends; `nil` without a URL.
    package func preview(of task: URLSessionTask) -> RequestPreview? {
        let (request, body, kind) = task.core.state.withLock {
            ($0.originalRequest, $0.body, $0.kind)
        }
        guard let request, var preview = preview(of: request) else { return nil }
        switch body {
        case .none: preview.body = .none
        case .data(let data): preview.body = .data(data)
        case .file(let url): preview.body = .file(url)
        case .fileRest, .stream, .asked: preview.body = .stream
        }
        if kind == .upload { preview.offerToResume(core.settings) }
        return preview
    }
}

extension URLRequest {
    /// What the request comes to by itself, as if no session added anything; `nil` without a URL.
    package var preview: RequestPreview? {
        RequestPreview(self, URLSessionConfiguration.ephemeral.frozen(), nil)
    }
}

extension RequestPreview {
    fileprivate init?(
        _ request: URLRequest,
        _ settings: SessionSettings,
        _ protection: KnownProtection?
    ) {
        guard let url = request.url, let bare = url.withoutUserInfo else { return nil }
        self.url = bare
        method = request.state.method
        fields = settings.fields(for: request).lines
            .filter { !Self.isFraming($0.name) }
            .map { Field(name: $0.name, value: $0.value) }
        let options = try? settings.transferOptions(for: request)
        if !fields.contains(where: { $0.name.equalsIgnoringASCIICase("User-Agent") }),
            let agent = options?.userAgent
        {
            fields.append(Field(name: "User-Agent", value: agent))
        }
        let handlesCookies = settings.httpShouldSetCookies && request.httpShouldHandleCookies
        cookies =
            handlesCookies
            ? settings.httpCookieStorage?.fieldValue(
                for: url,
                mainDocumentURL: request.mainDocumentURL
            ) : nil
        if cookies != nil { fields.removeAll { $0.name.equalsIgnoringASCIICase("Cookie") } }
        let saysItself = fields.contains { $0.name.equalsIgnoringASCIICase("Authorization") }
        user = saysItself ? nil : Self.user(at: url, settings, protection)
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

    /// Who a challenge would be answered for: the URL's user, or one that is stored for the host.
    private static func user(
        at url: URL,
        _ settings: SessionSettings,
        _ protection: KnownProtection?
    ) -> User? {
        if let space = protection?.space(of: url),
            let known = settings.urlCredentialStorage?.proposal(for: space)
        {
            return User(known, isSentAtOnce: true)
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

    /// What says that an upload can be gone on with.
    fileprivate mutating func offerToResume(_ settings: SessionSettings) {
        let lines = fields.map { HeaderLine(name: $0.name, value: $0.value) }
        switch body {
        case .none, .stream: return
        case .data, .file: break
        }
        guard settings.allowsResumableUploads, !["GET", "HEAD"].contains(method),
            !UploadProtocol.isSpoken(in: RequestHeaderFields(lines))
        else { return }
        fields += UploadProtocol.offer.map { Field(name: $0.name.rawName, value: $0.value) }
    }
}

extension RequestPreview.User {
    fileprivate init?(_ credential: URLCredential, isSentAtOnce: Bool = false) {
        guard let user = credential.user else { return nil }
        self.init(
            name: user,
            password: credential.password ?? "",
            isSentAtOnce: isSentAtOnce
        )
    }
}

extension RequestPreview.Version {
    fileprivate init(_ policy: HTTPVersionPolicy) {
        switch policy {
        case .automatic: self = .usual
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
            RequestPreview.User(name: $0.user, password: $0.password, isSentAtOnce: true)
        }
        self.exceptions = exceptions
    }
}
