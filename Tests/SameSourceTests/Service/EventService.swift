internal import TestSupport

/// Streams of events; a second connection continues where the first ended.
enum EventService {
    static func reply(to request: RecordedRequest, count: Int, service: Service) -> Reply? {
        switch request.path {
        case "/events": return count == 1 ? firstEvents : laterEvents(after: request)
        case "/live":
            let second = Reply.chunk(Array("event: end\nid: 2\ndata: second\n\n".utf8))
            return stream(
                ["id: 1\ndata: first\n\n"],
                [.waitFor(service.gate("open/live")), second]
            )
        case "/lost":
            guard count == 1 else { return laterEvents(after: request) }
            return stream(["retry: 5\nid: 7\ndata: whole\n\n", "id: 8\ndata: hal"], [.close])
        case "/page":
            return Reply(
                headers: [("Content-Type", "text/html")],
                body: .bytes(Array("<p>page".utf8))
            )
        case "/nothing": return .status(204)
        case "/busy": return .text("busy", status: 503)
        case "/long":
            let text = String(repeating: "x", count: 300_000)
            return stream(["id: 1\ndata: \(text)\n\n", "event: end\ndata: short\n\n"])
        default: return nil
        }
    }

    private static let head = [
        ("Content-Type", "text/event-stream"), ("Transfer-Encoding", "chunked"),
    ]

    /// A stream that runs `then` after its texts and stays open.
    private static func stream(_ texts: [String], _ then: [Step] = []) -> Reply {
        let chunks = texts.map { Reply.chunk(Array($0.utf8)) }
        return Reply(headers: head, body: .steps(chunks + then + [.stall]))
    }

    private static var firstEvents: Reply {
        let accent = Array("é".utf8)
        return Reply(
            headers: [head[0]],
            body: .chunks(
                [
                    Array(": hello\n\nretry: 5\nid: 1\ndata: first\n\n".utf8),
                    Array("event: update\r\nid: 2\r\ndata: two\r".utf8),
                    Array("\ndata: lines\r\n\r\n".utf8),
                    Array("id: 3\ndata: caf".utf8), [accent[0]], [accent[1]],
                    Array("\n\ndata: not whole".utf8),
                ],
                trailers: []
            )
        )
    }

    private static func laterEvents(after request: RecordedRequest) -> Reply {
        let last = request.header("Last-Event-ID") ?? "none"
        return stream(["event: end\nid: 9\ndata: after \(last)\n\n"])
    }
}
