import Curl

/// One connection of a ``MetricsServer``: given one page, whatever it asks for.
struct MetricsConnection: LocalConnection {
    let descriptor: Int32
    let page: @Sendable () -> String
    private var input: [UInt8] = []
    private var output: [UInt8] = []
    private var sent = 0

    init(_ descriptor: Int32, page: @escaping @Sendable () -> String) {
        self.descriptor = descriptor
        self.page = page
    }

    mutating func turn() -> LocalTurn {
        while output.isEmpty {
            guard input.count <= RequestHead.longest else { return .ended }
            switch LoopbackSocket.receive(descriptor, appendingTo: &input, upTo: 4096) {
            case .moved: break
            case .wouldBlock: return .waits(.read)
            case .ended: return .ended
            }
            if RequestHead.end(in: input) != nil { output = Self.response(page()) }
        }
        while sent < output.count {
            switch LoopbackSocket.send(descriptor, output.span.extracting(sent...)) {
            case .moved(let count): sent += count
            case .wouldBlock: return .waits(.write)
            case .ended: return .ended
            }
        }
        return .ended
    }

    private static func response(_ page: String) -> [UInt8] {
        let head = """
            HTTP/1.1 200 OK\r
            Content-Type: text/plain; version=0.0.4; charset=utf-8\r
            Content-Length: \(page.utf8.count)\r
            Connection: close\r
            \r

            """
        return Array((head + page).utf8)
    }
}
