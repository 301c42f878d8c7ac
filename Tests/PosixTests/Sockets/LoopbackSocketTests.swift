import Glibc
import TestSupport
import Testing

@testable import Posix

/// Server sockets on the loopback interface, and facts about sockets.
@Suite(.timeLimit(.minutes(10))) struct LoopbackSocketTests {
    /// Connects to a port of 127.0.0.1; the kernel accepts it for the listener.
    private func connect(_ port: UInt16, bufferSize: Int32? = nil) throws -> FileDescriptor {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let client = FileDescriptor(number: number, path: "client")
        if var size = bufferSize {
            setsockopt(number, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(number, $0, length)
            }
        }
        guard code == 0 else { throw SystemFailure("connect", errno: errno) }
        return client
    }

    /// The accepted connection. The kernel may still be completing it.
    private func accept(_ listener: Int32) throws -> FileDescriptor {
        var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        #expect(poll(&waiting, 1, -1) == 1)
        let number = try #require(LoopbackSocket.accept(listener))
        return FileDescriptor(number: number, path: "server")
    }

    private func send(_ descriptor: Int32, _ bytes: [UInt8]) -> LoopbackSocket.Outcome {
        LoopbackSocket.send(descriptor, bytes.span)
    }

    private func waitForInput(_ descriptor: Int32) {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&waiting, 1, -1) == 1)
    }

    @Test("The system chooses a free port, which is in use from then on")
    func chosenPortIsInUse() throws {
        let (descriptor, port) = try LoopbackSocket.listen()
        let listener = FileDescriptor(number: descriptor, path: "listener")
        #expect(port > 0)
        #expect(SocketInput.localPort(of: listener.number) == Int(port))
        let failure = #expect(throws: SystemFailure.self) {
            let second = try LoopbackSocket.listen(port: port)
            close(second.descriptor)
        }
        #expect(failure == SystemFailure("bind", errno: EADDRINUSE))
        #expect(LoopbackSocket.accept(descriptor) == nil, "no client waits")
        _ = consume listener
    }

    @Test("A connection's bytes arrive in order, and its end is reported")
    func bytesArriveInOrder() throws {
        let (descriptor, port) = try LoopbackSocket.listen()
        let listener = FileDescriptor(number: descriptor, path: "listener")
        let client = try connect(port)
        let server = try accept(listener.number)
        var bytes: [UInt8] = [9]
        #expect(
            LoopbackSocket.receive(server.number, appendingTo: &bytes, upTo: 10) == .wouldBlock
        )
        try client.write([1, 2, 3])
        waitForInput(server.number)
        #expect(LoopbackSocket.receive(server.number, appendingTo: &bytes, upTo: 2) == .moved(2))
        #expect(LoopbackSocket.receive(server.number, appendingTo: &bytes, upTo: 2) == .moved(1))
        #expect(bytes == [9, 1, 2, 3])
        #expect(send(server.number, [4, 5]) == .moved(2))
        #expect(send(server.number, []) == .moved(0))
        SocketEnd.finishSending(on: server.number)
        var answer: [UInt8] = []
        while try client.read(appendingTo: &answer, upTo: 10) > 0 {}
        #expect(answer == [4, 5])
        // The other direction is still open.
        try client.write([6])
        waitForInput(server.number)
        #expect(LoopbackSocket.receive(server.number, appendingTo: &bytes, upTo: 2) == .moved(1))
        try client.close()
        waitForInput(server.number)
        #expect(LoopbackSocket.receive(server.number, appendingTo: &bytes, upTo: 2) == .ended)
        #expect(bytes == [9, 1, 2, 3, 6])
    }

    @Test("Sending on a full connection would block, and its unsent bytes are counted")
    func fullConnectionBlocks() throws {
        let (descriptor, port) = try LoopbackSocket.listen()
        let listener = FileDescriptor(number: descriptor, path: "listener")
        let client = try connect(port, bufferSize: 4096)
        let server = try accept(listener.number)
        #expect(SocketQueue.unsentBytes(of: server.number) == 0)
        let piece = [UInt8](repeating: 1, count: 1 << 20)
        var sent = 0
        var outcome = LoopbackSocket.Outcome.moved(0)
        repeat {
            outcome = send(server.number, piece)
            if case .moved(let count) = outcome { sent += count }
        } while outcome != .wouldBlock && sent < 1 << 30
        #expect(outcome == .wouldBlock)
        let unsent = SocketQueue.unsentBytes(of: server.number)
        #expect(unsent > 0 && unsent <= sent)
        _ = consume client
    }

    @Test("Sending to a peer that is gone ends the connection, without a signal")
    func lostPeerEndsTheConnection() throws {
        let (descriptor, port) = try LoopbackSocket.listen()
        let listener = FileDescriptor(number: descriptor, path: "listener")
        let client = try connect(port)
        let server = try accept(listener.number)
        // Unread input makes the end of the client a reset.
        #expect(send(server.number, [1]) == .moved(1))
        waitForInput(client.number)
        try client.close()
        waitForInput(server.number)
        var bytes: [UInt8] = []
        #expect(LoopbackSocket.receive(server.number, appendingTo: &bytes, upTo: 2) == .ended)
        #expect(send(server.number, [1]) == .ended)
        #expect(bytes == [])
    }

    @Test("An accepted connection is private to the process, and its calls don't block")
    func acceptedConnectionIsPrivate() throws {
        let (descriptor, port) = try LoopbackSocket.listen()
        let listener = FileDescriptor(number: descriptor, path: "listener")
        let client = try connect(port)
        let server = try accept(listener.number)
        for number in [listener.number, server.number] {
            #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
            #expect(fcntl(number, F_GETFL) & O_NONBLOCK != 0)
        }
        #expect(LoopbackSocket.accept(server.number) == nil, "it isn't a listener")
        _ = consume client
    }

    @Test("Input is waiting if there are bytes, an end or an error")
    func waitingInputIsRecognised() throws {
        let pair = try DescriptorPair()
        #expect(!SocketInput.isWaiting(on: pair.first))
        try pair.writer.write([7])
        #expect(SocketInput.isWaiting(on: pair.first))
        #expect(SocketInput.isWaiting(on: pair.first), "looking takes no byte")
        var bytes: [UInt8] = []
        _ = try pair.reader.read(appendingTo: &bytes, upTo: 10)
        #expect(bytes == [7])
        #expect(!SocketInput.isWaiting(on: pair.first))
        SocketEnd.finishSending(on: pair.second)
        #expect(SocketInput.isWaiting(on: pair.first))
        #expect(!SocketInput.isWaiting(on: pair.second), "the other direction is open")
        #expect(SocketInput.isWaiting(on: -1))
    }

    @Test("Only an IPv4 or IPv6 socket has a port")
    func onlyInternetSocketsHavePorts() throws {
        let pair = try DescriptorPair()
        #expect(SocketInput.localPort(of: pair.first) == nil)
        #expect(SocketInput.localPort(of: -1) == nil)
        #expect(SocketQueue.unsentBytes(of: -1) == 0)
        let number = socket(AF_INET6, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return }
        let six = FileDescriptor(number: number, path: "IPv6")
        #expect(SocketInput.localPort(of: six.number) == 0, "an unbound socket has none yet")
    }
}
