import BatchFetch
import Posix

/// A web server for the demo on the loopback interface.
///
/// It runs on its own thread, and generates the objects while it sends them.
final class DemoServer: Sendable {
    private let server: LocalServer

    /// Opens the port and starts serving.
    init() throws(BatchFailure) {
        do throws(SystemFailure) {
            server = try LocalServer(name: "demo-server") { DemoConnection($0) }
        } catch {
            throw BatchFailure(.resources, "the demo's server can't start: \(error)")
        }
    }

    /// `http://127.0.0.1:port`
    var url: String { "http://127.0.0.1:\(server.port)" }

    /// Returns the URLs of `count` objects, generated as the batch reads them.
    func urls(count: Int) -> BatchInput {
        let url = self.url
        return .generated { $0 < count ? url + DemoObject(number: $0).path : nil }
    }
}

/// A connection of the demo server: reads requests and sends the objects.
///
/// It implements as much of HTTP/1.1 as libcurl needs here: GET, persistent connections, and a
/// `Content-Length` for each body.
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

    mutating func advance() -> ConnectionStep {
        while true {
            if let step = sendAll() { return step }
            if answerNext() { continue }
            guard input.count <= RequestHead.longest else { return .ended }
            switch LoopbackSocket.receive(descriptor, appendingTo: &input, upTo: 4096) {
            case .moved: continue
            case .wouldBlock: return .waits(.read)
            case .ended: return .ended
            }
        }
    }

    /// Sends all pending bytes; `nil` when everything is sent.
    private mutating func sendAll() -> ConnectionStep? {
        while true {
            if sent == output.count, !fill() { return nil }
            switch LoopbackSocket.send(descriptor, output.span.extracting(sent...)) {
            case .moved(let count): sent += count
            case .wouldBlock: return .waits(.write)
            case .ended: return .ended
            }
        }
    }

    /// Puts the next piece of the body into the output buffer. Returns false if there is none.
    private mutating func fill() -> Bool {
        output.removeAll(keepingCapacity: true)
        sent = 0
        guard let (object, offset) = body else { return false }
        object.append(to: &output, from: offset, count: Self.piece)
        let next = offset + output.count
        body = next < object.size ? (object, next) : nil
        return !output.isEmpty
    }

    /// Takes one complete request, if there is one, and starts its response.
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
