internal import TestSupport

/// Files that are sent completely, in part, or only half at first.
enum FileService {
    static func reply(to request: RecordedRequest, count: Int, service: Service) -> Reply? {
        let parts = request.path.split(separator: "/").map(String.init)
        switch parts.first {
        case "files": return whole(parts.last.flatMap { Int($0) } ?? 0)
        case "unknown":
            let bytes = pattern(30_000)
            return .chunked(
                [0..<10_000, 10_000..<10_001, 10_001..<30_000].map { Array(bytes[$0]) }
            )
        case "missing": return .bytes(pattern(10), status: 404)
        case "broken": return half(2_000, then: [.waitFor(service.gate("open/broken")), .close])
        case "gated":
            return half(200_000, then: [.waitFor(service.gate("open/gated"))], sendsRest: true)
        case "held": return held(request, count)
        case "changing":
            return count == 1 ? half(400_000, tag: "1") : whole(400_000).header("ETag", "\"2\"")
        case "unmarked": return count == 1 ? half(400_000) : whole(400_000)
        case "stopped": return half(400_000, tag: "1")
        default: return nil
        }
    }

    /// The file's content, which the programs know too.
    private static func pattern(_ count: Int) -> [UInt8] {
        [UInt8](count: count) { UInt8(truncatingIfNeeded: $0 &* 31 &+ ($0 >> 8)) }
    }

    private static func whole(_ count: Int) -> Reply { .bytes(pattern(count)) }

    /// The first half of a file, then the steps in `then`.
    ///
    /// By default no more follows until the client disconnects; with `sendsRest` the second half
    /// follows.
    private static func half(
        _ count: Int,
        tag: String? = nil,
        then: [Step] = [.stall],
        sendsRest: Bool = false
    ) -> Reply {
        let bytes = pattern(count)
        let middle = count / 2
        var headers = [("Content-Length", "\(count)"), ("Accept-Ranges", "bytes")]
        if let tag { headers.append(("ETag", "\"\(tag)\"")) }
        var steps: [Step] = [.send(Array(bytes[..<middle]))] + then
        if sendsRest { steps.append(.send(Array(bytes[middle...]))) }
        return Reply(headers: headers, body: .steps(steps))
    }

    private static func held(_ request: RecordedRequest, _ count: Int) -> Reply {
        let total = 400_000
        guard let range = request.header("Range") else {
            return count == 1 ? half(total, tag: "1") : whole(total).header("ETag", "\"1\"")
        }
        let first = range.dropFirst("bytes=".count).prefix { $0.isNumber }
        guard range.hasPrefix("bytes="), let start = Int(first), start < total,
            request.header("If-Range") ?? "\"1\"" == "\"1\""
        else { return .status(416) }
        return Reply(
            206,
            headers: [
                ("Content-Range", "bytes \(start)-\(total - 1)/\(total)"),
                ("ETag", "\"1\""), ("Accept-Ranges", "bytes"),
            ],
            body: .bytes(Array(pattern(total)[start...]))
        )
    }
}
