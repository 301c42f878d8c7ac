internal import CurlTransport
internal import HTTPTypes
internal import Synchronization

/// One exchange of a stub: it waits, delivers chunks, and notifies observers once of its end.
final class StubTransfer: Sendable {
    private struct Progress: Sendable {
        var delivered = 0
        var bytes: Int64 = 0
        var hasEnded = false
        var statusCode: Int?
    }

    private let id = TransferID()
    private let request: HTTPRequest
    private let context: RequestContext
    private let start = ContinuousClock.now
    private let progress = Mutex(Progress())

    init(_ request: HTTPRequest, _ context: RequestContext) {
        self.request = request
        self.context = context
    }

    deinit {
        // The response's body was released before its end.
        end(TransportError(.cancelled), metrics(of: nil))
    }

    /// Waits as the reply says, and makes the response.
    func respond(with reply: StubReply) async throws -> HTTPClientResponse {
        if let gate = reply.gate { try await wait { try await gate.wait() } }
        if reply.delay > .zero { try await wait { try await Task.sleep(for: reply.delay) } }
        try checkDeadline()
        if let failure = reply.failure, reply.chunksBeforeFailure == nil { throw failure }
        let head = reply.head
        var reply = reply
        if request.method == .head || !head.mayHaveBody { reply.chunks = [] }
        progress.withLock { $0.statusCode = head.statusCode }
        // As in a client, a short body arrives without a reader.
        if reply.isImmediate {
            progress.withLock { $0.bytes = Int64(reply.byteCount) }
            end(nil, metrics(of: reply))
        }
        return HTTPClientResponse(
            head: head,
            body: ResponseBody(chunks: Chunks(transfer: self, reply: reply)) { [reply] in
                ResponseEnd(trailers: reply.trailers, metrics: self.metrics(of: reply))
            },
            request: request,
            id: id
        )
    }

    /// Ends the exchange with an error, which is returned with the transfer's facts.
    @discardableResult
    func fail(with error: any Error) -> TransportError {
        var failure: TransportError
        switch error {
        case let error as TransportError: failure = error
        case is CancellationError: failure = TransportError(.cancelled)
        default:
            failure = TransportError(
                .unknown,
                message: "the stub couldn't answer: \(error).",
                underlying: error
            )
        }
        failure.transferID = id
        failure.metrics = failure.metrics ?? metrics(of: nil)
        if failure.url == nil { failure.url = request.url.map { String($0.prefix { $0 != "?" }) } }
        end(failure, failure.metrics ?? TransferMetrics())
        return failure
    }

    private func end(_ error: TransportError?, _ metrics: TransferMetrics) {
        let statusCode = progress.withLock { progress -> Int?? in
            guard !progress.hasEnded else { return nil }
            progress.hasEnded = true
            return .some(progress.statusCode)
        }
        guard let statusCode else { return }
        var error = error
        error?.transferID = id
        let end = TransferEnd(
            id: id,
            request: request,
            statusCode: statusCode,
            metrics: metrics,
            error: error
        )
        for observer in context.notifiedObservers { observer.transferDidEnd(end) }
    }

    private func metrics(of reply: StubReply?) -> TransferMetrics {
        if let metrics = reply?.metrics { return metrics }
        let bytes = progress.withLock { $0.bytes }
        return TransferMetrics(
            total: start.duration(to: .now),
            responseBytes: bytes,
            bodyBytes: bytes,
            httpVersion: reply?.httpVersion
        )
    }

    // MARK: Waiting

    private func checkDeadline() throws {
        guard let deadline = context.deadline, deadline <= .now else { return }
        throw TransportError(
            .deadlineExceeded,
            message: "the transfer didn't end before its deadline.",
            url: request.url
        )
    }

    /// Waits for `work`, at most until the deadline.
    private func wait(for work: @escaping @Sendable () async throws -> Void) async throws {
        try checkDeadline()
        guard let deadline = context.deadline else { return try await work() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await work() }
            group.addTask { try await Task.sleep(until: deadline, clock: .continuous) }
            _ = try await group.next()
            group.cancelAll()
        }
        try checkDeadline()
    }

    // MARK: Chunks

    /// Returns the next chunk of the reply; nil at its end.
    fileprivate func nextChunk(of reply: StubReply) async throws -> [UInt8]? {
        let index = progress.withLock { $0.delivered }
        do {
            if let failure = reply.failure,
                index >= min(reply.chunksBeforeFailure ?? 0, reply.chunks.count)
            {
                throw failure
            }
            guard index < reply.chunks.count else {
                end(nil, metrics(of: reply))
                return nil
            }
            if reply.chunkDelay > .zero {
                try await wait { try await Task.sleep(for: reply.chunkDelay) }
            }
            if !reply.isImmediate { try checkDeadline() }
        } catch {
            throw fail(with: error)
        }
        let chunk = reply.chunks[index]
        progress.withLock { progress in
            progress.delivered = index + 1
            if !progress.hasEnded { progress.bytes += Int64(chunk.count) }
        }
        return chunk
    }

    private struct Chunks: AsyncSequence {
        let transfer: StubTransfer
        let reply: StubReply

        struct AsyncIterator: AsyncIteratorProtocol {
            let chunks: Chunks

            mutating func next() async throws -> [UInt8]? {
                try await chunks.transfer.nextChunk(of: chunks.reply)
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunks: self) }
    }
}
