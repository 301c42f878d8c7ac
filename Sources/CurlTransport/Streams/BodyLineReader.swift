internal import HTTPSemantics

/// Reads the lines of a response's body, as bytes.
struct BodyLineReader {
    private let body: ResponseBody
    private var chunks: ResponseBody.AsyncIterator
    private var parser: LineParser
    /// Whether the body has ended; a line that is returned then has no line end.
    private(set) var isOver = false

    /// - Parameter limit: the maximum length of a line in bytes.
    init(_ body: ResponseBody, limit: Int) {
        self.body = body
        chunks = body.makeAsyncIterator()
        parser = LineParser(limit: max(0, limit))
    }

    /// The next complete line or the last one; nil at the end, and after an error.
    mutating func next() async throws(TransportError) -> [UInt8]? {
        while !isOver {
            if let line = try parse({ parser throws(LineParser.LineTooLong) in try parser.next() })
            {
                return line
            }
            guard let chunk = try await nextChunk() else {
                isOver = true
                return try parse { parser throws(LineParser.LineTooLong) in try parser.finish() }
            }
            parser.append(chunk)
        }
        return nil
    }

    private mutating func nextChunk() async throws(TransportError) -> [UInt8]? {
        do throws(TransportError) {
            return try await chunks.next()
        } catch {
            isOver = true
            throw error
        }
    }

    private mutating func parse(
        _ step: (inout LineParser) throws(LineParser.LineTooLong) -> [UInt8]?
    ) throws(TransportError) -> [UInt8]? {
        do throws(LineParser.LineTooLong) {
            return try step(&parser)
        } catch {
            throw end(.partTooLarge("a line", limit: error.limit))
        }
    }

    /// Ends the transfer because of an error of the content, and returns the error.
    mutating func end(_ error: TransportError) -> TransportError {
        isOver = true
        body.exchange?.abandon()
        return error
    }
}

extension TransportError {
    static func partTooLarge(_ part: String, limit: Int) -> TransportError {
        TransportError(
            .responseTooLarge,
            phase: .receiving,
            message: "\(part) of the response has more than \(limit) bytes. "
                + "Raise the maximum length, or read the body in chunks."
        )
    }
}
