extension LoopbackReply {
    /// The steps that send this reply to a request.
    public func steps(for request: LoopbackRequest) -> [LoopbackStep] {
        guard status != 0 else { return before + bodySteps + [.close] }
        var headers = headers
        if closes { headers.append(("Connection", "close")) }
        let bodiless = request.method == "HEAD" || status == 204 || status == 304
        if let framing, !(status == 204 || status == 304) { headers.append(framing) }
        let head = Self.head(status, reason, headers)
        var steps = before
        if !bodiless, case .bytes(let bytes) = body, bytes.count <= 16 * 1024 {
            steps.append(.send(head + bytes))
        } else {
            steps.append(.send(head))
            if !bodiless { steps += bodySteps }
        }
        if closes || request.wantsClose { steps.append(.close) }
        return steps
    }

    private var framing: (String, String)? {
        switch body {
        case .bytes(let bytes): ("Content-Length", String(bytes.count))
        case .repeating(let bytes, let times): ("Content-Length", String(bytes.count * times))
        case .chunks: ("Transfer-Encoding", "chunked")
        case .untilClosed, .steps: nil
        }
    }

    private var bodySteps: [LoopbackStep] {
        switch body {
        case .bytes(let bytes), .untilClosed(let bytes):
            return [.send(bytes)]
        case .repeating(let bytes, let times):
            return [.sendRepeating(bytes, times: times)]
        case .steps(let steps):
            return steps
        case .chunks(let chunks, let trailers):
            let end = "0\r\n" + trailers.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
            return chunks.map(Self.chunk) + [.send(end)]
        }
    }

    /// One chunk of a chunked body.
    public static func chunk(_ bytes: [UInt8]) -> LoopbackStep {
        .send(Array((String(bytes.count, radix: 16) + "\r\n").utf8) + bytes + [13, 10])
    }

    static func head(_ status: Int, _ reason: String, _ headers: [(String, String)]) -> [UInt8] {
        var head = "HTTP/1.1 \(status) \(reason)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        return Array((head + "\r\n").utf8)
    }
}
