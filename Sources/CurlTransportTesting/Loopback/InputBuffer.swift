internal import Posix

/// Received bytes that haven't been consumed yet.
struct InputBuffer {
    private var bytes: [UInt8] = []
    private var start = 0
    /// The position of the search for a head's end, which reads no byte twice.
    private var searched = 0

    var isEmpty: Bool { start == bytes.count }

    /// Appends what a socket has received, at most 64 KiB.
    mutating func receive(from descriptor: Int32) -> LoopbackSocket.Outcome {
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: true)
            (start, searched) = (0, 0)
        } else if start > 1 << 20 {
            bytes.removeFirst(start)
            (start, searched) = (0, max(searched - start, 0))
        }
        return LoopbackSocket.receive(descriptor, appendingTo: &bytes, upTo: 1 << 16)
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        (start, searched) = (0, 0)
    }

    mutating func take(atMost count: Int) -> ArraySlice<UInt8> {
        let end = min(start + count, bytes.count)
        defer { start = end }
        return bytes[start..<end]
    }

    /// Consumes one line; returns it without its CR LF.
    mutating func takeLine() -> String? {
        guard let newline = bytes[start...].firstIndex(of: 10) else { return nil }
        var line = bytes[start..<newline]
        if line.last == 13 { line.removeLast() }
        start = newline + 1
        return String(decoding: line, as: UTF8.self)
    }

    /// Consumes and returns a head, including the empty line that ends it.
    mutating func takeHead() -> [UInt8]? {
        var index = max(searched, start)
        while index + 3 < bytes.count {
            if bytes[index] == 13, bytes[index + 1] == 10, bytes[index + 2] == 13,
                bytes[index + 3] == 10
            {
                defer { (start, searched) = (index + 4, index + 4) }
                return Array(bytes[start..<index + 4])
            }
            index += 1
        }
        searched = index
        return nil
    }
}
