internal import CurlTransport
internal import TestSupport
internal import Testing

/// A server's misbehaviour, and how a transfer must end.
struct HostileCase: Sendable {
    enum Server: Sendable {
        /// The same steps for each connection.
        case steps([Step])
        /// A response to each request.
        case replies(@Sendable (RecordedRequest) -> Reply)
    }

    /// How a transfer must end.
    enum Ending: Sendable {
        /// With one of these errors; several only if the kernel decides which.
        case failure([TransportError.Code])
        case success(status: Int, body: String)
    }

    let name: String
    let server: Server
    var ending: Ending
    var options = TransferOptions()
    var body: RequestBody?
    /// The requested URL, and option changes that need the server's port.
    var url: @Sendable (LoopbackServer) -> String = { $0.url + "/" }
    var configure: @Sendable (inout TransferOptions, Int) -> Void = { _, _ in }
    /// The maximum number of body bytes; 1 MiB by default.
    var limit = 1 << 20
    /// The most bytes that an endless server may have sent.
    ///
    /// 12 MiB by default, which includes two socket buffers.
    var maximumBytesSent = 12 << 20

    init(_ name: String, _ steps: [Step], _ codes: TransportError.Code...) {
        self.name = name
        server = .steps(steps)
        ending = .failure(codes)
    }

    init(_ name: String, _ steps: [Step], succeeds status: Int, _ body: String = "") {
        self.name = name
        server = .steps(steps)
        ending = .success(status: status, body: body)
    }

    init(
        _ name: String,
        replies: @escaping @Sendable (RecordedRequest) -> Reply,
        _ codes: TransportError.Code...
    ) {
        self.name = name
        server = .replies(replies)
        ending = .failure(codes)
    }

    /// Sends a response's status line and these field lines, without the blank line.
    static func head(_ lines: String = "", status: String = "HTTP/1.1 200 OK") -> [Step] {
        [.readHead, .send("\(status)\r\n\(lines)")]
    }

    /// Sends a complete head and what follows.
    static func response(_ lines: String, _ rest: String = "") -> [Step] {
        head(lines + "\r\n" + rest)
    }

    static func chunked(_ body: String) -> [Step] {
        response("Transfer-Encoding: chunked\r\n", body)
    }

    /// The case, with its options changed.
    func with(_ change: (inout TransferOptions) -> Void) -> HostileCase {
        var other = self
        change(&other.options)
        return other
    }

    /// The case, for a URL that isn't the server's own.
    func at(_ url: @escaping @Sendable (LoopbackServer) -> String) -> HostileCase {
        var other = self
        other.url = url
        return other
    }

    /// The case, with the server as a proxy.
    func proxying(_ kind: ProxyServer.Kind) -> HostileCase {
        var other = self
        other.configure = { options, port in
            options.proxy = .server(ProxyServer(kind, host: "127.0.0.1", port: port))
        }
        return other
    }

    func uploading(_ body: RequestBody?) -> HostileCase {
        var other = self
        other.body = body
        return other
    }

    func limited(to limit: Int) -> HostileCase {
        var other = self
        other.limit = limit
        return other
    }

    func makeServer() throws -> LoopbackServer {
        var options = ServerOptions()
        options.sendBufferBytes = 64 * 1024
        switch server {
        case .steps(let steps): return try .scripted(options: options, steps)
        case .replies(let handler): return try LoopbackServer(options: options, handler: handler)
        }
    }
}

extension HostileCase: CustomTestStringConvertible {
    var testDescription: String { name }
}
