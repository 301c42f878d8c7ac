internal import Posix
internal import Synchronization

/// Carries what a server's loop owns to its thread.
final class LoopStart: Sendable {
    let listener: Int32
    private let core: ServerCore
    /// Nil once the loop owns it, and the listening socket.
    private let poller: Mutex<TokenPoller?>

    init(core: ServerCore, options: LoopbackOptions) throws {
        self.core = core
        let poller = try TokenPoller()
        listener = try Self.listen(options)
        self.poller = Mutex(poller)
    }

    deinit {
        // The thread couldn't start.
        if poller.withLock({ $0.take() != nil }) { ServerSocket.close(listener) }
    }

    /// Runs the loop until the server stops. Call it once.
    func run() {
        guard let poller = poller.withLock({ $0.take() }) else { return }
        ServerLoop(core: core, listener: listener, poller: poller).run()
    }

    private static func listen(_ options: LoopbackOptions) throws -> Int32 {
        let port = UInt16(clamping: options.port)
        let address =
            switch options.address {
            case .ipv4: ServerSocket.Address.ipv4(port: port)
            case .ipv6: ServerSocket.Address.ipv6(port: port)
            case .unix(let path): ServerSocket.Address.unix(path: path)
            }
        let listener = try ServerSocket.listen(on: address)
        // Accepted sockets inherit the size. It must be set before the handshake announces the
        // window.
        if let bytes = options.receiveBufferBytes {
            ServerSocket.setReceiveBuffer(of: listener, to: bytes)
        }
        return listener
    }
}
