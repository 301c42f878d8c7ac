/// Parses the frames that a client sends.
package struct ServerFrameParser: Sendable {
    private var bytes: [UInt8] = []
    private var start = 0

    package init() {}

    package mutating func append(_ new: [UInt8]) {
        bytes.removeFirst(start)
        start = 0
        bytes += new
    }

    /// Returns the next complete frame, unmasked.
    package mutating func next() -> ServerFrame? {
        let rest = bytes[start...]
        guard rest.count >= 2 else { return nil }
        let (first, second) = (rest[start], rest[start + 1])
        let isMasked = second & 0x80 != 0
        var position = start + 2
        var length = Int(second & 0x7F)
        if length > 125 {
            let count = length == 126 ? 2 : 8
            guard bytes.count >= position + count else { return nil }
            length = bytes[position..<position + count].reduce(0) { $0 << 8 | Int($1) }
            position += count
        }
        var key: [UInt8] = [0, 0, 0, 0]
        if isMasked {
            guard bytes.count >= position + 4 else { return nil }
            key = Array(bytes[position..<position + 4])
            position += 4
        }
        guard bytes.count >= position + length else { return nil }
        var payload = Array(bytes[position..<position + length])
        if isMasked {
            for index in payload.indices { payload[index] ^= key[index & 3] }
        }
        start = position + length
        var frame = ServerFrame(first & 0x0F, payload, isFinal: first & 0x80 != 0)
        frame.reserved = first >> 4 & 7
        frame.isMasked = isMasked
        return frame
    }
}
