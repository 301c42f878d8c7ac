internal import CurlTransport
internal import TestSupport

/// Answers that describe the request.
enum BasicsService {
    static func reply(to request: RecordedRequest, service: Service) -> Reply? {
        let parts = request.path.split(separator: "/").map(String.init)
        switch parts.first {
        case "status": return status(parts.last.flatMap { Int($0) } ?? 500)
        case "text": return text
        case "headers": return headers(request)
        case "echo": return echo(request)
        case "deep": return .redirect(to: "/text")
        case "kept": return .redirect(307, to: "/kept-here")
        case "kept-here":
            return .json([
                "method": request.method, "bytes": "\(request.bodyByteCount)",
                "type": request.header("Content-Type") ?? "none",
            ])
        case "dropped": return .steps([])
        case "silence": return .steps([.stall])
        case "socket": return socket(request)
        case "noticed":
            service.gate("wait/noticed").open()
            return .steps([.stall])
        default: return nil
        }
    }

    /// Echoes WebSocket messages.
    private static func socket(_ request: RecordedRequest) -> Reply {
        var script = LoopbackServer.WebSocketScript.echo { WebSocketHandshake.accept(for: $0) }
        script.fields = "Sec-WebSocket-Protocol: echo\r\n"
        return .steps(LoopbackServer.steps(for: request, 0, script))
    }

    private static var text: Reply {
        Reply(
            headers: [
                ("Content-Type", "text/plain; charset=utf-8"),
                ("Content-Disposition", "attachment; filename=\"hello.txt\""),
            ],
            body: .bytes(Array("hello".utf8))
        )
    }

    private static func status(_ status: Int) -> Reply {
        var reply = Reply.json(["title": "Refused", "detail": "by \(status)"], status: status)
        if status == 429 || status == 503 { reply = reply.header("Retry-After", "7") }
        return reply
    }

    private static func headers(_ request: RecordedRequest) -> Reply {
        var seen: [String: String] = [:]
        for name in ["accept", "x-app", "x-trace", "x-tag", "content-type"] {
            let values = request.headers(name)
            seen[name] = values.isEmpty ? "none" : values.joined(separator: " and ")
        }
        return Reply.json(seen).header("X-Limit", "10")
            .header("X-Multi", "1").header("X-Multi", "2")
    }

    private static func echo(_ request: RecordedRequest) -> Reply {
        let text = request.bodyByteCount <= 40 ? ": \(request.bodyText)" : ""
        return .text("\(request.method) \(request.bodyByteCount)\(text)")
    }
}
