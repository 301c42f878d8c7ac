import Posix
import TestSupport
import Testing

@testable import Curl

/// Connections without a request, over which the caller sends and receives bytes itself.
@Suite(.timeLimit(.minutes(10))) struct ConnectOnlyTests {
    /// Connects, and leaves the handle in the multi handle.
    private func connect(
        _ loop: borrowing TestLoop,
        _ transfer: RecordedTransfer,
        _ easy: borrowing EasyHandle
    ) throws {
        try easy.set(.connectOnly, true)
        #expect(loop.multi.add(easy) == .ok)
        var code: CurlCode?
        try loop.turns {
            code = loop.multi.nextResult()?.code
            return code != nil
        }
        #expect(code == .ok)
        #expect(transfer.headerLines == [] && transfer.body == [])
    }

    /// Waits until a connection is readable.
    private func waitForInput(_ easy: borrowing EasyHandle) throws {
        let wakeup = try Wakeup()
        let socket = easy.activeSocket
        let number = try #require(socket)
        let file = FileDescriptor(number: number, path: "connection", isOwned: false)
        #expect(wakeup.wait(orReadable: file) == true)
    }

    @Test("Bytes are sent and received, up to the end of the connection")
    func bytesAreSentAndReceived() async throws {
        let answer = Gate()
        let server = try LoopbackServer.scripted([
            .readHead, .waitFor(answer), .send("pong"), .close,
        ])
        let loop = try TestLoop()
        let transfer = RecordedTransfer(loop.events)
        let easy = try loop.makeHandle(server.url, transfer)
        try connect(loop, transfer, easy)
        var buffer = [UInt8](repeating: 0, count: 100)
        var received = easy.receive(into: &buffer)
        #expect(received.code == .again && received.count == 0)
        let request = Array("PING / HTTP/1.1\r\n\r\n".utf8)
        let sent = easy.send(request.span)
        #expect(sent.code == .ok && sent.count == request.count)
        answer.open()
        try waitForInput(easy)
        received = easy.receive(into: &buffer)
        #expect(received.code == .ok && received.count == 4)
        #expect(buffer.prefix(5) == [0x70, 0x6f, 0x6e, 0x67, 0])
        try waitForInput(easy)
        received = easy.receive(into: &buffer)
        #expect(received.code == .ok && received.count == 0, "the end")
        #expect(server.requests.first?.method == "PING")
        loop.multi.remove(easy)
        #expect(loop.events.closed == transfer.opened)
    }

    @Test("Bytes that don't fit into the buffer are returned by the next calls")
    func bufferTakesWhatFits() throws {
        let server = try LoopbackServer.scripted([.send("0123456789"), .stall])
        let loop = try TestLoop()
        let transfer = RecordedTransfer(loop.events)
        let easy = try loop.makeHandle(server.url, transfer)
        try connect(loop, transfer, easy)
        try waitForInput(easy)
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 3)
        while text.count < 10 {
            let received = easy.receive(into: &buffer)
            try #require(received.code == .ok && received.count <= 3)
            text += String(decoding: buffer.prefix(received.count), as: UTF8.self)
        }
        #expect(text == "0123456789")
        loop.multi.remove(easy)
    }

    @Test("A handle without a connection can't send or receive")
    func handleWithoutAConnectionCannotSend() throws {
        let loop = try TestLoop()
        let easy = try loop.makeHandle("http://127.0.0.1/", RecordedTransfer(loop.events))
        var buffer = [UInt8](repeating: 0, count: 10)
        let received = easy.receive(into: &buffer)
        #expect(received.code != .ok && received.code != .again && received.count == 0)
        let sent = easy.send([UInt8](repeating: 1, count: 10).span)
        #expect(sent.code != .ok && sent.code != .again && sent.count == 0)
    }

    @Test("Sending on a full connection returns CURLE_AGAIN")
    func fullConnectionTakesAPart() throws {
        let reading = Gate()
        var options = ServerOptions()
        options.receiveBufferBytes = 4096
        let server = try LoopbackServer.scripted(
            options: options,
            [.waitFor(reading), .readUntilClosed]
        )
        let loop = try TestLoop()
        let transfer = RecordedTransfer(loop.events)
        let easy = try loop.makeHandle(server.url, transfer)
        try connect(loop, transfer, easy)
        let piece = [UInt8](repeating: 1, count: 1 << 20)
        var count = 0
        var sent = easy.send(piece.span)
        while sent.code == .ok, count < 1 << 30 {
            count += sent.count
            sent = easy.send(piece.span)
        }
        #expect(sent.code == .again && sent.count == 0 && count > 0)
        reading.open()
        loop.multi.remove(easy)
    }

    @Test("After the server resets a connection, the next call returns an error")
    func resetConnectionIsAnError() throws {
        let server = try LoopbackServer.scripted([.readHead, .reset])
        let loop = try TestLoop()
        let transfer = RecordedTransfer(loop.events)
        let easy = try loop.makeHandle(server.url, transfer)
        try connect(loop, transfer, easy)
        #expect(easy.send(Array("GET / HTTP/1.1\r\n\r\n".utf8).span).code == .ok)
        try waitForInput(easy)
        var buffer = [UInt8](repeating: 0, count: 10)
        let received = easy.receive(into: &buffer)
        #expect(received.code == .recvError && received.count == 0)
        loop.multi.remove(easy)
        #expect(loop.events.closed == transfer.opened)
    }
}
