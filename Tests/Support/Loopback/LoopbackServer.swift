internal import CTestSupport
internal import Glibc

/// An HTTP/1.1 server inside the test's process, on its own thread.
///
/// It answers with a handler, or runs a script of raw steps for each connection. It serves
/// thousands of connections at once and records their requests, and tests can wait for every event
/// in it. `stop()`, or the release of the last reference, closes all connections and ends the
/// thread.
///
/// Handlers and scripts run on the server's thread and must not block: to wait, use the steps
/// `.waitFor(gate)` and `.after(time)`.
package final class LoopbackServer: Sendable {
    /// The port; 0 on a Unix socket.
    package let port: Int
    /// `http://127.0.0.1:port`, without a slash at the end; `http://localhost` on a Unix socket.
    package let url: String
    private let core: ServerCore
    private let thread: NativeThread
    private let unixPath: String?

    private init(
        options: ServerOptions,
        script: @escaping @Sendable (Int) -> [Step]
    ) throws {
        core = try ServerCore(options: options, script: script)
        let listener = try Self.listen(options)
        port = max(Int(ts_local_port(listener)), 0)
        (url, unixPath) =
            switch options.address {
            case .ipv4: ("http://127.0.0.1:\(port)", nil)
            case .ipv6: ("http://[::1]:\(port)", nil)
            case .unix(let path): ("http://localhost", path)
            }
        let poller = ts_poller()
        guard poller >= 0 else {
            close(listener)
            throw SystemError("epoll_create1")
        }
        thread = try NativeThread(name: "loopback") { [core] in
            ServerLoop(core: core, listener: listener, poller: poller).run()
        }
    }

    /// Answers each request with a handler and keeps connections alive between requests.
    package convenience init(
        options: ServerOptions = ServerOptions(),
        handler: @escaping @Sendable (RecordedRequest) -> Reply
    ) throws {
        let continues = options.continuesExpectedBodies
        try self.init(options: options, script: { _ in Self.cycle(continues, handler) })
    }

    /// Runs a script for each connection; its argument is the connection's number from 0.
    package static func scripted(
        options: ServerOptions = ServerOptions(),
        _ script: @escaping @Sendable (Int) -> [Step]
    ) throws -> LoopbackServer {
        try LoopbackServer(options: options, script: script)
    }

    /// Runs the same script for each connection.
    package static func scripted(
        options: ServerOptions = ServerOptions(),
        _ steps: [Step]
    ) throws -> LoopbackServer {
        try LoopbackServer(options: options, script: { _ in steps })
    }

    /// Runs a script on the first connection, and answers with a handler on all others.
    package static func scripted(
        options: ServerOptions = ServerOptions(),
        first steps: [Step],
        then handler: @escaping @Sendable (RecordedRequest) -> Reply
    ) throws -> LoopbackServer {
        let continues = options.continuesExpectedBodies
        return try LoopbackServer(
            options: options,
            script: { $0 == 0 ? steps : cycle(continues, handler) }
        )
    }

    deinit { stop() }

    /// Closes all connections and waits for the thread's end.
    package func stop() {
        core.requestStop()
        thread.join()
        core.closeWakeup()
        if let unixPath { unlink(unixPath) }
    }

    /// A port on which no server listens, for refused connections. The process holds it until it
    /// ends, so that no other server gets the port and no test's request reaches another test's
    /// server.
    package static func unusedPort() throws -> Int {
        guard heldPort > 0 else { throw SystemError("bind") }
        return heldPort
    }

    /// Negative if the system has no free port.
    private static let heldPort: Int = {
        let holder = ts_hold_port_ipv4()
        return holder < 0 ? -1 : Int(ts_local_port(holder))
    }()

    private static func listen(_ options: ServerOptions) throws -> Int32 {
        let listener =
            switch options.address {
            case .ipv4: ts_listen_ipv4(UInt16(options.port))
            case .ipv6: ts_listen_ipv6(UInt16(options.port))
            case .unix(let path): ts_listen_unix(path)
            }
        guard listener >= 0 else { throw SystemError("listen") }
        // Accepted sockets inherit the size. It must be set before the handshake announces the
        // window.
        if let bytes = options.receiveBufferBytes {
            ts_set_receive_buffer(listener, Int32(bytes))
        }
        return listener
    }

    private static func cycle(
        _ continues: Bool,
        _ handler: @escaping @Sendable (RecordedRequest) -> Reply
    ) -> [Step] {
        let expectation = Step.respond { request in
            let expects = request.header("Expect")?.lowercased() == "100-continue"
            return continues && expects ? [.send("HTTP/1.1 100 Continue\r\n\r\n")] : []
        }
        let reply = Step.respond { request in
            handler(request).steps(for: request) + cycle(continues, handler)
        }
        return [.readHead, expectation, .readBody, reply]
    }
}

extension LoopbackServer {
    // Declared here because the stored properties are private to the type's file.
    var watched: Watched<ServerCore.State> { core.watched }
}
