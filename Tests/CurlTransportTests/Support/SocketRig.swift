import CurlTransport
import HTTPTypes
import TestSupport

/// A scripted WebSocket server, and a client that records its events.
struct SocketRig: Sendable {
    let server: LoopbackServer
    let transport: Transport
    let recorder = SocketRecorder()

    init(
        options: ServerOptions = ServerOptions(),
        _ configure: (inout LoopbackServer.WebSocketScript) -> Void = { _ in }
    ) throws {
        var script = LoopbackServer.WebSocketScript { WebSocketHandshake.accept(for: $0) }
        configure(&script)
        server = try .webSocket(options: options, script)
        transport = try Transport()
    }

    /// Starts a server of raw steps.
    init(_ steps: [Step]) throws {
        server = try .scripted(steps)
        transport = try Transport()
    }

    /// Uses a server of the test's own.
    init(server: LoopbackServer) throws {
        self.server = server
        transport = try Transport()
    }

    var url: String { "ws://127.0.0.1:\(server.port)/socket" }

    /// Connects a WebSocket to the server, or to `url`.
    func connect(
        _ socket: WebSocketConnection,
        _ url: String? = nil,
        subprotocols: [String] = [],
        fields: HTTPFields = [:],
        recorder: SocketRecorder? = nil,
        configure: (inout WebSocketRequest, inout TransferOptions) -> Void = { _, _ in }
    ) throws {
        var options = TransferOptions.patient
        var request = try WebSocketRequest(
            url: url ?? self.url,
            subprotocols: subprotocols,
            fields: fields,
            options: PreparedOptions(options)
        )
        configure(&request, &options)
        request.options = try PreparedOptions(options)
        socket.connect(request, over: transport, delegate: recorder ?? self.recorder)
    }

    /// A request that connects to the server.
    func request() throws -> WebSocketRequest {
        try WebSocketRequest(url: url, options: PreparedOptions(.patient))
    }

    /// Makes a WebSocket and connects it.
    func connected(
        configure: (inout WebSocketRequest, inout TransferOptions) -> Void = { _, _ in }
    ) throws -> WebSocketConnection {
        let socket = WebSocketConnection()
        try connect(socket, configure: configure)
        return socket
    }
}
