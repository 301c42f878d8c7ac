public import CurlTransport
public import HTTPTypes
internal import Posix
internal import Synchronization

/// Records the exchanges of another client in a file, without secrets.
///
/// ```swift
/// let recording = try RecordingClient(client, to: path)
/// let response = try await recording.send(HTTPRequest(url: url))
/// _ = try await response.body.collect(upTo: 1 << 20)
/// try recording.finish()
/// ```
///
/// The file has one exchange on each line, as JSON, and replaces an existing file. An exchange is
/// written when its response's body has been read to its end, or when it fails. The content of a
/// body that was released earlier is incomplete, and replays as `cancelled`. Requests have numbers
/// in the order in which they were sent. ``RecordingRedaction`` says what is left out.
public final class RecordingClient: HTTPExchanging {
    private struct State: ~Copyable {
        var file: FileDescriptor?
        var count = 0
        var failure: RecordingError?
    }

    private let next: any HTTPExchanging
    private let path: String
    private let redaction: RecordingRedaction
    private let maximumBody: Int
    private let state: Mutex<State>

    /// Creates or empties the file.
    ///
    /// - Parameters:
    ///   - next: sends the requests.
    ///   - path: the file, in an existing folder.
    ///   - maximumBody: the maximum size in bytes of a request's content, which is collected before
    ///     it is sent. Longer content fails the request. Default: 64 MiB.
    /// - Throws: ``RecordingError`` if the file can't be written.
    public init(
        _ next: any HTTPExchanging,
        to path: String,
        redaction: RecordingRedaction = RecordingRedaction(),
        maximumBody: Int = 64 << 20
    ) throws(RecordingError) {
        self.next = next
        self.path = path
        self.redaction = redaction
        self.maximumBody = maximumBody
        do throws(FileError) {
            let file = try FileDescriptor.openForWriting(path, creation: .truncating)
            state = Mutex(State(file: file))
        } catch {
            throw RecordingError(path: path, message: "\(error)")
        }
    }

    /// Closes the file. Exchanges that end later aren't recorded.
    ///
    /// - Throws: ``RecordingError`` if an exchange couldn't be written.
    public func finish() throws(RecordingError) {
        let failure = state.withLock { state -> RecordingError? in
            state.file = nil
            return state.failure
        }
        if let failure { throw failure }
    }

    /// Sends the request with the other client, and records it.
    ///
    /// - Throws: as the other client.
    public func send(
        _ request: HTTPRequest,
        body: RequestBody,
        context: RequestContext
    ) async throws(TransportError) -> HTTPClientResponse {
        let request = request.describing(body)
        let number = state.withLock { state in
            defer { state.count += 1 }
            return state.count
        }
        let content = try await body.collect(upTo: maximumBody)
        let record = ExchangeRecord(self, number, request, content)
        do throws(TransportError) {
            let response = try await next.send(
                request,
                body: body.isNone ? .none : .bytes(content),
                context: context
            )
            return record.recording(response)
        } catch {
            record.end(with: error)
            throw error
        }
    }

    /// Writes one exchange.
    fileprivate func write(
        _ number: Int,
        _ request: HTTPRequest,
        _ content: [UInt8],
        _ response: RecordedExchange.Response?,
        _ error: TransportError?
    ) {
        let type = request.headerFields[.contentType]
        let exchange = RecordedExchange(
            number: number,
            method: request.method,
            url: redaction.url(request.url ?? ""),
            body: redaction.content(content, type: type),
            requestFields: redaction.fields(request.headerFields),
            response: response,
            failure: error.map {
                .init(code: $0.code, phase: $0.phase, retry: $0.retry, message: $0.message)
            }
        )
        let line = Array("\(exchange.json)\n".utf8)
        state.withLock { state in
            guard state.failure == nil else { return }
            do throws(FileError) {
                try state.file?.write(line)
            } catch {
                state.failure = RecordingError(path: path, message: "\(error)")
            }
        }
    }

    fileprivate func recorded(
        _ response: HTTPClientResponse,
        _ body: [UInt8]
    ) -> RecordedExchange.Response {
        RecordedExchange.Response(
            status: response.status,
            httpVersion: response.head.httpVersion,
            fields: redaction.fields(response.headerFields),
            body: redaction.content(body, type: response.head.firstValue(of: .contentType)),
            trailers: response.trailers.map { redaction.fields($0) }
        )
    }
}

/// One exchange that is being recorded. It is written once.
private final class ExchangeRecord: Sendable {
    private struct State: Sendable {
        var response: HTTPClientResponse?
        var body: [UInt8] = []
        var isWritten = false
    }

    private let client: RecordingClient
    private let number: Int
    private let request: HTTPRequest
    private let content: [UInt8]
    private let state = Mutex(State())

    init(_ client: RecordingClient, _ number: Int, _ request: HTTPRequest, _ content: [UInt8]) {
        self.client = client
        self.number = number
        self.request = request
        self.content = content
    }

    deinit {
        // The body was released before its end.
        end(with: TransportError(.cancelled))
    }

    /// The response with a body that is recorded while it is read.
    func recording(_ response: HTTPClientResponse) -> HTTPClientResponse {
        state.withLock { $0.response = response }
        let head = response.head
        let hasContent =
            request.method != .head && head.mayHaveBody && head.contentLength != 0
        // Many readers only look at the head then.
        if !hasContent { end(with: nil) }
        return HTTPClientResponse(
            head: head,
            body: ResponseBody(chunks: Chunks(record: self, body: response.body)) {
                ResponseEnd(trailers: response.trailers, metrics: response.metrics)
            },
            request: response.request,
            id: response.id
        )
    }

    func end(with error: TransportError?) {
        let (response, body, isWritten) = state.withLock { state in
            defer {
                state.isWritten = true
                state.response = nil
                state.body = []
            }
            return (state.response, state.body, state.isWritten)
        }
        guard !isWritten else { return }
        client.write(number, request, content, response.map { client.recorded($0, body) }, error)
    }

    private struct Chunks: AsyncSequence {
        let record: ExchangeRecord
        let body: ResponseBody

        struct AsyncIterator: AsyncIteratorProtocol {
            let record: ExchangeRecord
            var body: ResponseBody.AsyncIterator

            mutating func next() async throws(TransportError) -> [UInt8]? {
                do throws(TransportError) {
                    let chunk = try await body.next()
                    if let chunk {
                        record.state.withLock { $0.body += chunk }
                    } else {
                        record.end(with: nil)
                    }
                    return chunk
                } catch {
                    record.end(with: error)
                    throw error
                }
            }
        }

        func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(record: record, body: body.makeAsyncIterator())
        }
    }
}
