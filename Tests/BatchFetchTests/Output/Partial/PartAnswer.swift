import TestSupport

/// A `PartServer`'s answer to one request.
struct PartAnswer: Sendable {
    /// What the server does after it has sent `count` bytes of the body.
    enum Ending: CaseIterable, Sendable {
        /// Closes the connection.
        case close
        /// Resets the connection, some time after the last byte.
        case reset
        /// Sends nothing more and keeps the connection open.
        case stall
    }

    /// Replaces the body, or the range.
    var reply: Reply?
    var body = PartBody([])
    /// Replaces 200 or 206.
    var status: Int?
    /// Replaces the correct `Content-Range`.
    var contentRange: String?
    /// Added to the fields of the body.
    var headers: [(String, String)] = [("Accept-Ranges", "bytes")]
    var ignoresRange = false
    var ignoresCondition = false
    /// Sends chunks without an announced length.
    var isChunked = false
    /// The number of bytes after which the answer breaks off, and how.
    var breaking: (count: Int, ending: Ending)?
    /// The server waits for this gate between the head and the body.
    var hold: Gate?

    /// The body, or the requested range of it.
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

    /// The answer of a server that doesn't support ranges.
    func whole() -> PartAnswer {
        var answer = self
        answer.ignoresRange = true
        answer.headers = []
        return answer
    }

    /// A 206 response with a wrong range, or a wrong `Content-Range`.
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

    /// The range of bytes for a request; nil if the request starts beyond the body.
    func range(for request: RecordedRequest) -> (range: Range<Int>, isPart: Bool)? {
        let all = 0..<body.count
        guard !ignoresRange, let requested = request.range else { return (all, false) }
        let condition = request.header("If-Range")
        if let condition, !ignoresCondition, !body.fits(condition) { return (all, false) }
        guard requested.first < body.count else { return nil }
        let end = min(requested.last.map { $0 + 1 } ?? body.count, body.count)
        return (requested.first..<max(end, requested.first), true)
    }

    /// The head of the answer with this range.
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
    /// Omits the bytes, which would be unreadable.
    var description: String {
        if let reply { return "\(reply.status) \(reply.headers)" }
        return "\(status ?? 200) of \(body), \(contentRange ?? "-") \(headers)"
    }
    var debugDescription: String { description }
}
