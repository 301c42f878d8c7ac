import TestSupport
import Testing

@testable import Curl

/// The fields of a header list as a server receives them.
@Suite(.timeLimit(.minutes(10))) struct HeaderListTests {
    /// Sends a request whose list `fill` writes. Returns the fields whose names begin with `X-`.
    private func fields(
        of easy: borrowing EasyHandle,
        in loop: borrowing TestLoop,
        from server: LoopbackServer,
        _ fill: (inout HeaderList) -> Void
    ) throws -> [String] {
        try easy.setHeaders(fill)
        #expect(try loop.run(easy) == .ok)
        let request = try #require(server.requests.last)
        return request.headerLines.filter { $0.hasPrefix("X-") }
    }

    @Test("Given lists that grow, when a handle sends them, then each arrives whole and in order")
    func listsArriveInOrder() throws {
        let server = try LoopbackServer { _ in .text("x") }
        let loop = try TestLoop()
        let easy = try loop.makeHandle("\(server.url)/", RecordedTransfer(loop.events))
        // Each list takes the memory of the one before; 200 lines of 100 bytes exceed what is kept.
        for (count, length) in [(1, 10), (40, 300), (200, 100), (2, 5), (0, 0), (9, 1)] {
            let value = String(repeating: "v", count: length)
            let sent = try fields(of: easy, in: loop, from: server) { list in
                for number in 0..<count { list.append(name: "X-\(number)", value: value) }
            }
            #expect(sent == (0..<count).map { "X-\($0): \(value)" })
        }
    }

    @Test("Given an empty value, when it is sent, then the server receives an empty field")
    func emptyValueIsSent() throws {
        let server = try LoopbackServer { _ in .text("x") }
        let loop = try TestLoop()
        let easy = try loop.makeHandle("\(server.url)/", RecordedTransfer(loop.events))
        let sent = try fields(of: easy, in: loop, from: server) { list in
            list.append(name: "X-Empty", value: "")
            list.append("X-Line: as given")
        }
        #expect(sent.map { $0.filter { $0 != " " } } == ["X-Empty:", "X-Line:asgiven"])
    }
}
