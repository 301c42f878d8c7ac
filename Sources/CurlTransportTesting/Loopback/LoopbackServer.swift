internal import Posix
internal import Synchronization

/// An HTTP/1.1 server in the test's process, on its own thread and on the loopback interface.
///
/// ```swift
/// let server = try LoopbackServer { request in
///     request.path == "/hello" ? .text("hello") : .status(404)
/// }
/// let response = try await client.send(HTTPRequest(url: server.url + "/hello"))
/// ```
///
/// It answers with a handler, or runs a script of raw steps for each connection, such as
/// half a response and a reset. It serves thousands of connections at once and records their
/// requests, and tests can wait for every event in it. ``stop()``, or the release of the last
/// reference, closes all connections and ends the thread.
///
/// Handlers and scripts run on the server's thread and must not block: to wait, use the steps
/// ``LoopbackStep/waitFor(_:)`` and ``LoopbackStep/after(_:)``. The server speaks no TLS, no HTTP/2
/// and checks little: it is for tests only.
public final class LoopbackServer: Sendable {
    /// The port; 0 on a Unix socket.
    public let port: Int
    /// `http://127.0.0.1:port`, without a slash at the end; `http://localhost` on a Unix socket.
    public let url: String
    private let core: ServerCore
    /// Nil once it was joined.
    private let thread: Mutex<JoinedThread?>
    private let unixPath: String?

    private init(
        options: LoopbackOptions,
        script: @escaping @Sendable (Int) -> [LoopbackStep]
    ) throws {
        core = try ServerCore(options: options, script: script)
        let start = try LoopStart(core: core, options: options)
        port = SocketInput.localPort(of: start.listener) ?? 0
        (url, unixPath) =
            switch options.address {
            case .ipv4: ("http://127.0.0.1:\(port)", nil)
            case .ipv6: ("http://[::1]:\(port)", nil)
            case .unix(let path): ("http://localhost", path)
            }
        thread = Mutex(try JoinedThread(name: "loopback") { start.run() })
    }

    /// Answers each request with a handler and keeps connections alive between requests.
    public convenience init(
        options: LoopbackOptions = LoopbackOptions(),
        handler: @escaping @Sendable (LoopbackRequest) -> LoopbackReply
    ) throws {
        let continues = options.continuesExpectedBodies
        try self.init(options: options, script: { _ in Self.cycle(continues, handler) })
    }

    /// Runs a script for each connection; its argument is the connection's number from 0.
    ///
    /// - Parameter script: its steps run in order; after the last one the connection is closed.
    public static func scripted(
        options: LoopbackOptions = LoopbackOptions(),
        _ script: @escaping @Sendable (Int) -> [LoopbackStep]
    ) throws -> LoopbackServer {
        try LoopbackServer(options: options, script: script)
    }

    /// Runs the same script for each connection.
    public static func scripted(
        options: LoopbackOptions = LoopbackOptions(),
        _ steps: [LoopbackStep]
    ) throws -> LoopbackServer {
        try LoopbackServer(options: options, script: { _ in steps })
    }

    /// Runs a script on the first connection, and answers with a handler on all others.
    public static func scripted(
        options: LoopbackOptions = LoopbackOptions(),
        first steps: [LoopbackStep],
        then handler: @escaping @Sendable (LoopbackRequest) -> LoopbackReply
    ) throws -> LoopbackServer {
        let continues = options.continuesExpectedBodies
        return try LoopbackServer(
            options: options,
            script: { $0 == 0 ? steps : cycle(continues, handler) }
        )
    }

    deinit { stop() }

    /// Closes all connections and waits for the thread's end.
    public func stop() {
        core.requestStop()
        // Held during the join, so that a second caller also returns only after the thread's end.
        thread.withLock { thread in thread.take()?.join() }
        core.closeWakeup()
        if let unixPath { ServerSocket.remove(path: unixPath) }
    }

    /// A port on which no server listens, for refused connections. The process holds it until it
    /// ends, so that no other server gets the port and no test's request reaches another test's
    /// server.
    public static func unusedPort() throws -> Int {
        try heldPort.get()
    }

    private static let heldPort = Result { try ServerSocket.holdPort() }

    private static func cycle(
        _ continues: Bool,
        _ handler: @escaping @Sendable (LoopbackRequest) -> LoopbackReply
    ) -> [LoopbackStep] {
        let expectation = LoopbackStep.respond { request in
            let expects = request.header("Expect")?.lowercased() == "100-continue"
            return continues && expects ? [.send("HTTP/1.1 100 Continue\r\n\r\n")] : []
        }
        let reply = LoopbackStep.respond { request in
            handler(request).steps(for: request) + cycle(continues, handler)
        }
        return [.readHead, expectation, .readBody, reply]
    }
}

extension LoopbackServer {
    // Declared here because the stored properties are private to the type's file.
    var watched: Watched<ServerCore.State> { core.watched }
}
