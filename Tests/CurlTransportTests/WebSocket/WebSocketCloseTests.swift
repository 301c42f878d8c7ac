import TestSupport
import Testing

@testable import CurlTransport

/// What remains of a WebSocket that one side has closed, and ends without an answer.
@Suite(.timeLimit(.minutes(10))) struct WebSocketCloseTests {
    private static let texts = ["1", "2", "3", "4", "5"]

    /// A server that sends five messages and a close frame at once, and keeps the connection open.
    private static func closing() throws -> SocketRig {
        let messages = texts.flatMap { ServerFrame.text($0).bytes }
        let bytes = messages + ServerFrame.close(4001, Array("bye".utf8)).bytes
        return try SocketRig { $0.opening = { _ in [.send(bytes), .stall] } }
    }

    // MARK: Messages

    @Test("Messages before a close frame can be received after the WebSocket was cancelled")
    func cancelKeepsMessagesBeforeCloseFrame() async throws {
        let rig = try Self.closing()
        // The server keeps the connection open, so the WebSocket doesn't end before it is cancelled.
        let socket = try rig.connected { request, _ in
            request.closingLimits = (.seconds(120), .seconds(120))
        }
        try await rig.recorder.event(.close(4001, "bye"))
        socket.cancel()
        for text in Self.texts {
            let message = try await socket.receive()
            #expect(message == .text(text))
        }
        let end = try await rig.recorder.end()
        #expect(end.error == nil && end.status == 4001)
        await #expect(throws: WebSocketError.closed(WebSocketStatus(rawValue: 4001))) {
            try await socket.receive()
        }
    }

    @Test("Messages before a close frame can be received after this side has closed, too")
    func closeKeepsMessagesBeforeCloseFrame() async throws {
        let rig = try Self.closing()
        let socket = try rig.connected()
        try await rig.recorder.event(.close(4001, "bye"))
        #expect(socket.hasUnreadMessages)
        socket.close(.normalClosure, reason: "")
        for text in Self.texts {
            let message = try await socket.receive()
            #expect(message == .text(text))
        }
        #expect(!socket.hasUnreadMessages)
        socket.cancel()
    }

    @Test("Unread messages are dropped when this side cancels before the server has closed")
    func cancelDropsMessagesOfOpenWebSocket() async throws {
        let rig = try SocketRig {
            $0.opening = { _ in [.send(ServerFrame.text("unread").bytes)] }
        }
        let socket = try rig.connected()
        try await Inspection.wait { socket.hasUnreadMessages }
        socket.cancel()
        await #expect(throws: WebSocketError.cancelled) { try await socket.receive() }
        #expect(!socket.hasUnreadMessages)
    }

    @Test("A cancelled receiver takes no message from before a close frame")
    func cancelledReceiverTakesNoMessageAfterClose() async throws {
        let rig = try Self.closing()
        let socket = try rig.connected()
        try await rig.recorder.event(.close(4001, "bye"))
        let left = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await socket.receive()
        }
        await #expect(throws: WebSocketError.cancelled) { try await left.value }
        let message = try await socket.receive()
        #expect(message == .text("1"))
        socket.cancel()
    }

    // MARK: Missing answers

    @Test(
        "If the server drops the connection instead of closing, this side's status remains",
        arguments: [Step.close, .reset]
    )
    func unansweredCloseKeepsOwnStatus(_ last: Step) async throws {
        let rig = try SocketRig { $0.answer = { $0.opcode == 8 ? [last] : [] } }
        let socket = try rig.connected()
        try await rig.recorder.opened()
        socket.close(.goingAway, reason: "bye")
        let end = try await rig.recorder.end()
        #expect(end.error == nil && end.status == 1006)
        #expect(socket.closing?.status == .goingAway && socket.closing?.reason == "bye")
        #expect(rig.recorder.events == [.open(nil), .metrics, .completed(nil, 1006)])
    }

    @Test("A connection that is reset before the response has an empty reply")
    func resetBeforeHandshakeResponseIsAnEmptyReply() async throws {
        let rig = try SocketRig([.readHead, .reset])
        _ = try rig.connected()
        let end = try await rig.recorder.end()
        guard case .connection(let error) = end.error else {
            Issue.record("\(String(describing: end.error))")
            return
        }
        #expect(error.code == .emptyReply)
    }
}
