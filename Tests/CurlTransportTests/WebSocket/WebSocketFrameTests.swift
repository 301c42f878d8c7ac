import TestSupport
import Testing

@testable import CurlTransport

/// Frames as they are sent, parsed by the test server's own implementation.
@Suite struct WebSocketFrameTests {
    @Test(arguments: [0, 1, 7, 8, 9, 125, 126, 127, 65_535, 65_536, 200_003])
    func everyLengthUsesShortestEncoding(_ count: Int) throws {
        let payload = [UInt8](count: count) { UInt8(truncatingIfNeeded: $0 &* 31) }
        let key: UInt32 = 0x1234_56FF
        let bytes = WebSocketFrame.bytes(.binary, payload: payload.span, maskingKey: key)
        let header = count <= 125 ? 2 : count <= 65_535 ? 4 : 10
        #expect(bytes.count == header + 4 + count)
        var parser = ServerFrameParser()
        parser.append(bytes)
        let parsed = parser.next()
        let frame = try #require(parsed)
        #expect(frame.payload == payload)
        #expect(frame.opcode == 2 && frame.isFinal && frame.isMasked && frame.reserved == 0)
        // The masked payload isn't readable.
        #expect(count < 8 || Array(bytes.suffix(count)) != payload)
    }

    @Test func standardExampleMatches() {
        // RFC 6455, section 5.7.
        let bytes = WebSocketFrame.bytes(
            .text,
            payload: Array("Hello".utf8).span,
            maskingKey: 0x3D21_FA37
        )
        #expect(
            bytes == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        )
    }

    @Test func fragmentsAreMarked() throws {
        var parser = ServerFrameParser()
        let first = WebSocketFrame.bytes(
            .text,
            isFinal: false,
            payload: [65].span,
            maskingKey: 1
        )
        let second = WebSocketFrame.bytes(.continuation, payload: [66].span, maskingKey: 2)
        parser.append(first + second)
        let frames = [parser.next(), parser.next()]
        #expect(frames.map(\.?.opcode) == [1, 0])
        #expect(frames.map(\.?.isFinal) == [false, true])
    }

    @Test func closeReasonIsTruncatedBetweenCharacters() {
        let short = WebSocketFrame.closePayload(.goingAway, reason: "bye")
        #expect(short == [0x03, 0xE9] + Array("bye".utf8))
        #expect(WebSocketFrame.closePayload(nil, reason: "ignored").isEmpty)
        let long = WebSocketFrame.closePayload(
            .normalClosure,
            reason: String(repeating: "ä", count: 100)
        )
        #expect(long.count == 2 + 122)
        #expect(String(validating: long.dropFirst(2), as: UTF8.self) != nil)
    }

    @Test func messagesBecomeFramesInOrder() throws {
        var outbox = WebSocketOutbox()
        let size = WebSocketOutbox.frameSize
        let big = [UInt8](count: size * 2 + 5) { UInt8(truncatingIfNeeded: $0) }
        let completions = EventRecorder<String>()
        outbox.append(.binary(big)) { _ in completions.record("big") }
        outbox.append(.text("")) { _ in completions.record("empty") }
        var parser = ServerFrameParser()
        var position: Int64 = 0
        var marks: [Int64] = []
        while let (bytes, isLast) = outbox.nextFrame(maskingKey: 0xA5A5_0F0F) {
            parser.append(bytes)
            position += Int64(bytes.count)
            if isLast {
                outbox.ended(at: position)
                marks.append(position)
            }
        }
        var frames: [ServerFrame] = []
        while let frame = parser.next() { frames.append(frame) }
        #expect(frames.map(\.opcode) == [2, 0, 0, 1])
        #expect(frames.map(\.isFinal) == [false, false, true, true])
        #expect(frames[..<3].flatMap(\.payload) == big)
        #expect(outbox.sent(upTo: marks[0] - 1).isEmpty)
        #expect(outbox.sent(upTo: marks[0]).count == 1)
        #expect(outbox.giveUp().count == 1)
        #expect(outbox.isEmpty)
    }
}
