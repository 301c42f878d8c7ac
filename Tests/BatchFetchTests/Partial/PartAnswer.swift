import TestSupport

/// What a `PartServer` answers to one request.
struct PartAnswer: Sendable {
    /// What comes after as many bytes of the body as are sent.
    enum Ending: CaseIterable, Sendable {
        /// The connection's end.
        case close
        /// A reset of the connection, some time after the last byte.
        case reset
        /// Nothing more, for ever.
        case stall
    }

    /// Something else than the body, or a part of it.
    var reply: Reply?
    var body = PartBody([])
    /// In place of 200 or 206.
    var status: Int?
    /// In place of what is right.
    var contentRange: String?
    /// Besides those that the body has.
    var headers: [(String, String)] = [("Accept-Ranges", "bytes")]
    var ignoresRange = false
    var ignoresCondition = false
    /// In pieces of no length that was told before.
    var isChunked = false
    /// Where the answer breaks off, in bytes of what it would have, and how.
    var breaking: (count: Int, ending: Ending)?
    /// What is waited for between the head and the body.
    var hold: Gate?

    /// The body, or the part of it that is asked for.
    static func body(_ body: PartBody) -> PartAnswer {
        var answer = PartAnswer()
        answer.body = body
        return answer
    }

    static func reply(_ reply: Reply) -> PartAnswer {
        var answer = PartAnswer()
        answer.reply = reply
        return answer
    }

    func breaking(after count: Int, _ ending: Ending = .close) -> PartAnswer {
        var answer = self
        answer.breaking = (count, ending)
        return answer
    }

    /// A server that knows of no ranges.
    func whole() -> PartAnswer {
        var answer = self
        answer.ignoresRange = true
        answer.headers = []
        return answer
    }

    /// A part that isn't the one that was asked for, or says so.
    func part(_ contentRange: String?, headers: [(String, String)] = []) -> PartAnswer {
        var answer = self
        (answer.status, answer.contentRange, answer.ignoresCondition) = (206, contentRange, true)
        answer.headers += headers
        return answer
    }

    func held(until gate: Gate) -> PartAnswer {
        var answer = self
        answer.hold = gate
        return answer
    }

    func chunked() -> PartAnswer {
        var answer = self
        answer.isChunked = true
        return answer
    }

    /// The bytes that a request gets; nil if there are none where it asks.
    func range(for request: RecordedRequest) -> (range: Range<Int>, isPart: Bool)? {
        let all = 0..<body.count
        guard !ignoresRange, let asked = request.range else { return (all, false) }
        let condition = request.header("If-Range")
        if let condition, !ignoresCondition, !body.fits(condition) { return (all, false) }
        guard asked.first < body.count else { return nil }
        let end = min(asked.last.map { $0 + 1 } ?? body.count, body.count)
        return (asked.first..<max(end, asked.first), true)
    }

    /// The head of the answer with these bytes.
    func head(_ range: Range<Int>, isPart: Bool) -> [UInt8] {
        var fields = body.headers + headers
        if isChunked {
            fields.append(("Transfer-Encoding", "chunked"))
        } else {
            fields.append(("Content-Length", "\(range.count)"))
        }
        let right =
            isPart ? "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.count)" : nil
        if let value = status == nil ? right : contentRange {
            fields.append(("Content-Range", value))
        }
        let lines = fields.map { "\($0): \($1)\r\n" }.joined()
        return Array("HTTP/1.1 \(status ?? (isPart ? 206 : 200)) Text\r\n\(lines)\r\n".utf8)
    }
}

extension PartAnswer: CustomStringConvertible, CustomDebugStringConvertible {
    /// Without the bytes, which nobody would read.
    var description: String {
        if let reply { return "\(reply.status) \(reply.headers)" }
        return "\(status ?? 200) of \(body), \(contentRange ?? "-") \(headers)"
    }
    var debugDescription: String { description }
}
