public import CurlTransport
public import HTTPTypes
internal import Posix

/// Answers requests from a recording of ``RecordingClient``, without a network.
///
/// A recorded exchange answers a request with the same method, URL and content, after
/// ``RecordingRedaction``. Equal requests get the recorded answers in order, each answer once. A
/// request that isn't recorded fails with
/// `TransportError.Code.invalidRequest`, and the message says what is recorded
/// instead. Header fields of requests aren't compared.
public final class ReplayingClient: HTTPExchanging {
    private struct State: Sendable {
        /// The indices of the exchanges that haven't been replayed, in order.
        var unused: [RecordedExchange.Key: [Int]]
    }

    /// All exchanges of the recording, in the order in which they were sent.
    public let exchanges: [RecordedExchange]

    private let path: String
    private let redaction: RecordingRedaction
    private let comparesBodies: Bool
    private let maximumBody: Int
    private let state: Watched<State>

    /// Reads a recording.
    ///
    /// - Parameters:
    ///   - redaction: the one that the recording was made with.
    ///   - comparesBodies: whether the content of requests must be the same. Use false if it has
    ///     times or random values. Default: true.
    ///   - maximumBody: the maximum size in bytes of a request's content. Default: 64 MiB.
    /// - Throws: ``RecordingError`` if the file can't be read, with the line that is malformed.
    public init(
        from path: String,
        redaction: RecordingRedaction = RecordingRedaction(),
        comparesBodies: Bool = true,
        maximumBody: Int = 64 << 20
    ) throws(RecordingError) {
        let exchanges = try Self.read(path).sorted { $0.number < $1.number }
        var unused: [RecordedExchange.Key: [Int]] = [:]
        for (index, exchange) in exchanges.enumerated() {
            unused[exchange.key(comparesBodies: comparesBodies), default: []].append(index)
        }
        self.exchanges = exchanges
        self.path = path
        self.redaction = redaction
        self.comparesBodies = comparesBodies
        self.maximumBody = maximumBody
        state = Watched(State(unused: unused))
    }

    /// The exchanges that haven't answered a request yet. A test can check that it is empty.
    public var unusedExchanges: [RecordedExchange] {
        state.read { $0.unused.values.flatMap(\.self) }.sorted().map { exchanges[$0] }
    }

    /// Answers a request from the recording.
    ///
    /// - Throws: the recorded failure; `TransportError.Code.invalidRequest` if the
    ///   request isn't recorded, or was recorded fewer times.
    public func send(
        _ request: HTTPRequest,
        body: RequestBody,
        context: RequestContext
    ) async throws(TransportError) -> HTTPClientResponse {
        let request = request.describing(body)
        let transfer = StubTransfer(request, context)
        do {
            let content = try await body.collect(upTo: maximumBody)
            let reply = StubReply(try exchange(for: request, content))
            return try await transfer.respond(with: reply)
        } catch {
            throw transfer.fail(with: error)
        }
    }

    private func exchange(
        for request: HTTPRequest,
        _ content: [UInt8]
    ) throws(TransportError) -> RecordedExchange {
        let redacted = redaction.content(content, type: request.headerFields[.contentType])
        let key = RecordedExchange.Key(
            method: request.method.rawValue,
            url: redaction.url(request.url ?? ""),
            body: comparesBodies ? redacted : []
        )
        let index = state.update { state -> Int? in
            guard let first = state.unused[key]?.first else { return nil }
            state.unused[key]?.removeFirst()
            return first
        }
        if let index { return exchanges[index] }
        throw TransportError(
            .invalidRequest,
            phase: .queued,
            message:
                "\(key.method) \(key.url) can't be replayed from \(path): \(reason(for: key)). "
                + "Record it again.",
            url: key.url
        )
    }

    /// Why no exchange is left for a request.
    private func reason(for key: RecordedExchange.Key) -> String {
        let equal = exchanges.filter { $0.key(comparesBodies: comparesBodies) == key }
        if !equal.isEmpty { return "it was recorded \(equal.count) times, and all were replayed" }
        if exchanges.contains(where: { $0.method.rawValue == key.method && $0.url == key.url }) {
            return "it was recorded with other content"
        }
        let path = key.url.prefix { $0 != "?" }
        if exchanges.contains(where: { $0.url.prefix { $0 != "?" } == path }) {
            return "it was recorded with another query or method"
        }
        let recorded = exchanges.prefix(10).map { exchange in
            "\(exchange.method) \(exchange.url.prefix { $0 != "?" })"
        }
        let more = exchanges.count > 10 ? " and \(exchanges.count - 10) more" : ""
        return exchanges.isEmpty
            ? "nothing was recorded"
            : "it wasn't recorded; recorded were \(recorded.joined(separator: ", "))\(more)"
    }

    private static func read(_ path: String) throws(RecordingError) -> [RecordedExchange] {
        let bytes: [UInt8]
        do throws(FileError) {
            let file = try FileDescriptor.openForReading(path)
            bytes = try file.bytes(at: 0, upTo: Int(clamping: try file.size()))
        } catch {
            throw RecordingError(path: path, message: "\(error)")
        }
        var exchanges: [RecordedExchange] = []
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.isEmpty {
            do {
                exchanges.append(try RecordedExchange(try JSONParser.parse(Array(line))))
            } catch let error as JSONParser.Failure {
                throw RecordingError(
                    path: path,
                    line: index + 1,
                    message: "the line isn't JSON: \(error.reason) at byte \(error.position)."
                )
            } catch {
                let reason = (error as? RecordedExchange.Malformed)?.reason ?? "\(error)"
                throw RecordingError(
                    path: path,
                    line: index + 1,
                    message: "the line is no recorded exchange: \(reason)."
                )
            }
        }
        return exchanges
    }
}

extension StubReply {
    /// The answer of a recorded exchange.
    fileprivate init(_ exchange: RecordedExchange) {
        self.init(.ok)
        if let response = exchange.response {
            status = response.status
            headerFields = HTTPFields(recorded: response.fields)
            httpVersion = response.httpVersion
            trailers = response.trailers.map { HTTPFields(recorded: $0) }
            if !response.body.isEmpty { chunks = [response.body] }
            addsContentLength = false
        }
        failure = exchange.failure.map {
            TransportError($0.code, phase: $0.phase, message: $0.message, retry: $0.retry)
        }
        if exchange.response != nil, failure != nil { chunksBeforeFailure = chunks.count }
    }
}
