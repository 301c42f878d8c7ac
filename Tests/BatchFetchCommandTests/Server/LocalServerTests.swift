import Posix
import Synchronization
import TestSupport
import Testing

@testable import BatchFetch
@testable import BatchFetchCommand

/// The command's servers on the loopback interface.
@Suite(.timeLimit(.minutes(10))) struct LocalServerTests {
    /// Sends back what it receives, and ends at a full stop.
    private struct Echo: LocalConnection {
        let descriptor: Int32

        mutating func advance() -> ConnectionStep {
            while true {
                var bytes: [UInt8] = []
                switch LoopbackSocket.receive(descriptor, appendingTo: &bytes, upTo: 100) {
                case .moved:
                    _ = LoopbackSocket.send(descriptor, bytes.span)
                    if bytes.contains(UInt8(ascii: ".")) { return .ended }
                case .wouldBlock: return .waits(.read)
                case .ended: return .ended
                }
            }
        }
    }

    private func makeServer(limit: Int = .max) throws -> LocalServer {
        try LocalServer(name: "echo", limit: limit) { Echo(descriptor: $0) }
    }

    @Test("Connections are served concurrently until their clients end them")
    func connectionsAreServedAtTheSameTime() async throws {
        let server = try makeServer()
        try await NativeThread.run {
            let clients = try (0..<20).map { _ in try RawClient(port: server.port) }
            for round in 0..<3 {
                for (number, client) in clients.enumerated() {
                    try client.send("\(round)-\(number)\n")
                }
                for (number, client) in clients.enumerated() {
                    #expect(try client.receive(until: "\n") == "\(round)-\(number)\n")
                }
            }
            for client in clients { try client.send("end.") }
            for client in clients {
                #expect(try client.receiveAll() == Array("end.".utf8))
            }
        }
        #expect(server.port > 0)
    }

    @Test("A connection beyond the limit is closed; after one ends, the next is served")
    func connectionsAreLimited() async throws {
        let server = try makeServer(limit: 1)
        try await NativeThread.run {
            let first = try RawClient(port: server.port)
            try first.send("a")
            #expect(try first.receive(until: "a") == "a")
            let second = try RawClient(port: server.port)
            #expect(try second.receiveAll() == [])
            try first.send(".")
            #expect(try first.receiveAll() == [UInt8(ascii: ".")])
            let third = try RawClient(port: server.port)
            try third.send("c.")
            #expect(try third.receiveAll() == Array("c.".utf8))
        }
    }

    @Test("A released server closes its connections and its port")
    func releasedServerClosesItsConnections() async throws {
        let end = try await NativeThread.run {
            var server: LocalServer? = try makeServer()
            let port = server?.port ?? 0
            let client = try RawClient(port: port)
            try client.send("x")
            let echo = try client.receive(until: "x")
            server = nil
            let rest = (try? client.receiveAll()) ?? []
            return (echo: echo, rest: rest, isRefused: (try? RawClient(port: port)) == nil)
        }
        #expect(end.echo == "x" && end.rest == [] && end.isRefused)
    }

    @Test(
        "A head ends after an empty line, with and without carriage returns",
        arguments: [
            ("", nil), ("GET / HTTP/1.1", nil), ("a\r\n", nil), ("a\r\n\r\n", 5), ("a\n\n", 3),
            ("a\r\n\n", 4), ("a\n\r\n", 4), ("a\r\nb\r\n\r\nbody", 8), ("a\n\n\n", 3),
            ("\r\n\r\n", 4), ("a\r\r\n\r\r\n", 7), ("a\n \n", nil), ("a\n\nb\n\n", 3),
        ] as [(String, Int?)]
    )
    func headEndsAfterAnEmptyLine(text: String, end: Int?) {
        #expect(RequestHead.end(in: Array(text.utf8)) == end)
    }

    // MARK: Metrics

    @Test("Each request gets the current page, and its connection is closed")
    func eachRequestGetsTheCurrentPage() async throws {
        let count = Atomic(0)
        let server = try MetricsServer(port: 0) {
            "page \(count.wrappingAdd(1, ordering: .relaxed).newValue) é\n"
        }
        let port = try #require(MetricsServer.port(of: server.address))
        for number in 1...3 {
            let answer = try await NativeThread.run {
                let client = try RawClient(port: Int(port))
                // A head may come in pieces.
                try client.send("GET /anything HTTP/1.1\r\nHost:")
                try client.send(" h\r\n\r\n")
                return String(decoding: try client.receiveAll(), as: UTF8.self)
            }
            #expect(
                answer == """
                    HTTP/1.1 200 OK\r
                    Content-Type: text/plain; version=0.0.4; charset=utf-8\r
                    Content-Length: 10\r
                    Connection: close\r
                    \r
                    page \(number) é

                    """
            )
        }
    }

    @Test("A page that is larger than the connection's buffers arrives whole")
    func largePageArrivesWhole() async throws {
        let page = String(repeating: "0123456789abcde\n", count: 1 << 20)
        let server = try MetricsServer(port: 0) { page }
        let port = try #require(MetricsServer.port(of: server.address))
        let answer = try await NativeThread.run {
            let client = try RawClient(port: Int(port))
            try client.send("GET / HTTP/1.1\n\n")
            return try client.receiveAll()
        }
        #expect(answer.count > 16 << 20)
        #expect(String(decoding: answer.suffix(page.utf8.count), as: UTF8.self) == page)
    }

    @Test("A head without an end closes its connection at a limit")
    func endlessHeadClosesItsConnection() async throws {
        let server = try MetricsServer(port: 0) { "page" }
        let port = try #require(MetricsServer.port(of: server.address))
        let answer = try await NativeThread.run {
            let client = try RawClient(port: Int(port))
            let line = "X: " + String(repeating: "x", count: 1000) + "\r\n"
            // The server may reset the connection before it has taken everything.
            for _ in 0..<100 { try? client.send(line) }
            return (try? client.receiveAll()) ?? []
        }
        #expect(answer == [])
    }

    @Test("If the port is in use, the error has its number")
    func usedPortIsAnError() throws {
        let server = try MetricsServer(port: 0) { "" }
        let port = try #require(MetricsServer.port(of: server.address))
        let failure = #expect(throws: BatchFailure.self) {
            _ = try MetricsServer(port: port) { "" }
        }
        #expect(failure?.code == .configuration)
        #expect(
            failure?.message
                == "can't serve metrics on port \(port): bind: Address already in use"
        )
        extendLifetime(server)
    }

    @Test(
        "The metrics server listens on the loopback interface only",
        arguments: [
            ("9464", 9464), ("127.0.0.1:9464", 9464), ("localhost:0", 0), ("65535", 65_535),
            ("65536", nil), ("", nil), (":9464", nil), ("127.0.0.1:", nil), ("127.0.0.1", nil),
            ("0.0.0.0:1", nil), ("127.0.0.2:1", nil), ("[::1]:1", nil), ("localhost:1:2", nil),
            ("-1", nil), ("LOCALHOST:1", nil), ("1 ", nil),
        ] as [(String, UInt16?)]
    )
    func metricsHaveAPortOfThisMachine(address: String, port: UInt16?) {
        #expect(MetricsServer.port(of: address) == port)
    }
}
