import Curl

/// One connection of the demo's server: reads requests, and answers each with its object.
///
/// It speaks as much HTTP/1.1 as libcurl asks of it: GET, kept alive, a length for each body.
struct DemoConnection: LocalConnection {
    private static let piece = 64 * 1024

    private let descriptor: Int32
    private var input: [UInt8] = []
    private var output: [UInt8] = []
    private var sent = 0
    private var body: (object: DemoObject, offset: Int)?

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    mutating func turn() -> LocalTurn {
        while true {
            if let turn = sendAll() { return turn }
            if answerNext() { continue }
            guard input.count <= RequestHead.longest else { return .ended }
            switch LoopbackSocket.receive(descriptor, appendingTo: &input, upTo: 4096) {
            case .moved: continue
            case .wouldBlock: return .waits(.read)
            case .ended: return .ended
            }
        }
    }

    /// Sends what there is; nil when all of it has gone.
    private mutating func sendAll() -> LocalTurn? {
        while true {
            if sent == output.count, !fill() { return nil }
            switch LoopbackSocket.send(descriptor, output.span.extracting(sent...)) {
            case .moved(let count): sent += count
            case .wouldBlock: return .waits(.write)
            case .ended: return .ended
            }
        }
    }

    /// Puts the next piece of the body where it is sent from; false if there is none.
    private mutating func fill() -> Bool {
        output.removeAll(keepingCapacity: true)
        sent = 0
        guard let (object, offset) = body else { return false }
        object.append(to: &output, from: offset, count: Self.piece)
        let next = offset + output.count
        body = next < object.size ? (object, next) : nil
        return !output.isEmpty
    }

    /// Takes a request, if one has arrived whole, and begins its answer.
    private mutating func answerNext() -> Bool {
        guard let end = RequestHead.end(in: input) else { return false }
        let words = input[..<end].prefix { $0 != 0x0D }.split(separator: 0x20)
        input.removeFirst(end)
        let path = words.count > 1 ? String(decoding: words[1], as: UTF8.self) : ""
        guard words.first.map({ $0.elementsEqual("GET".utf8) }) == true,
            path.hasPrefix("/objects/")
        else {
            output += "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".utf8
            return true
        }
        let object = DemoObject(path: path)
        output +=
            """
            HTTP/1.1 200 OK\r
            Content-Type: application/octet-stream\r
            Content-Length: \(object.size)\r
            \r

            """.utf8
        let room = Self.piece - output.count
        object.append(to: &output, from: 0, count: room)
        body = object.size > room ? (object, room) : nil
        return true
    }
}
