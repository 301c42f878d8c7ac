import Testing

@testable import CurlTransport

/// Lengths of frames and messages near the largest integer.
@Suite struct WebSocketReaderTests {
    /// The header of a frame whose length has eight bytes.
    private static func header(_ first: UInt8, length: UInt64) -> [UInt8] {
        [first, 127]
            + stride(from: 56, through: 0, by: -8).map {
                UInt8(truncatingIfNeeded: length >> UInt64($0))
            }
    }

    private static let longest = UInt64(Int.max)

    /// Passes the bytes to the reader in pieces of `size` bytes, and returns the events.
    private func read(
        _ bytes: [UInt8],
        by reader: inout WebSocketReader,
        size: Int = .max
    ) throws(WebSocketViolation) -> [WebSocketEvent] {
        var events: [WebSocketEvent] = []
        var start = 0
        while start < bytes.count {
            let end = start + min(size, bytes.count - start)
            try reader.receive(bytes.span.extracting(start..<end), into: &events)
            start = end
        }
        return events
    }

    @Test(
        "The payload of a frame of 2^63 - 1 bytes is received if messages have no limit",
        arguments: [1, 7, 11, 4096]
    )
    func longestFrameIsReceived(_ size: Int) throws {
        var reader = WebSocketReader(maximumMessageSize: .max)
        let bytes = Self.header(0x82, length: Self.longest) + [UInt8](repeating: 7, count: 3_000)
        #expect(try read(bytes, by: &reader, size: size).isEmpty)
        #expect(try read(bytes, by: &reader, size: size).isEmpty)
    }

    @Test("A frame of 2^63 - 1 bytes is too big for any smaller limit", arguments: [0, .max - 1])
    func longestFrameExceedsEachLimit(_ limit: Int) {
        var reader = WebSocketReader(maximumMessageSize: limit)
        let violation = #expect(throws: WebSocketViolation.self) {
            try read(Self.header(0x81, length: Self.longest), by: &reader)
        }
        #expect(violation == .tooBig(limit: limit))
    }

    @Test("A message is too big when the sum of its frames overflows", arguments: [1, 4096])
    func overflowingMessageIsTooBig(_ size: Int) throws {
        var reader = WebSocketReader(maximumMessageSize: .max)
        // A ping between the frames doesn't count.
        let frames: [UInt8] = [0x02, 3, 1, 2, 3, 0x89, 1, 4, 0x00, 2, 5, 6]
        #expect(try read(frames, by: &reader, size: size) == [.ping([4])])
        let last = Self.header(0x80, length: Self.longest - 4) + [7]
        for bytes in [last, [7]] {
            let violation = #expect(throws: WebSocketViolation.self) {
                try read(bytes, by: &reader, size: size)
            }
            #expect(violation?.status == .messageTooBig)
        }
    }

    @Test("A message whose frames are announced with 2^63 - 1 bytes in total is received")
    func messageOfExactlyTheLimitIsReceived() throws {
        var reader = WebSocketReader(maximumMessageSize: .max)
        #expect(try read([0x02, 3, 1, 2, 3], by: &reader).isEmpty)
        let last = Self.header(0x80, length: Self.longest - 3) + [4, 5]
        #expect(try read(last, by: &reader).isEmpty)
    }

    @Test("A length with the highest bit set is a protocol error")
    func lengthWithHighestBitIsAProtocolError() {
        var reader = WebSocketReader(maximumMessageSize: .max)
        let violation = #expect(throws: WebSocketViolation.self) {
            try read(Self.header(0x82, length: 1 << 63), by: &reader)
        }
        #expect(violation?.status == .protocolError)
    }
}
