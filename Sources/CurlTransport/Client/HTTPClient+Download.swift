internal import HTTPSemantics
public import HTTPTypes
internal import Posix

extension HTTPClient {
    /// Sends a request and writes the response's content to a file.
    ///
    /// The bytes go to a temporary file in the same folder, which is renamed to `path` when the
    /// content is complete. Other programs see either the old file or the complete new one. After
    /// an error no file is left behind. The content is written whatever the status is; check the
    /// response's status. A thread of the client does the writes that wait for a disk. The event
    /// loop writes files in memory (tmpfs).
    ///
    /// To continue an interrupted download, use
    /// ``HTTPExchanging/resumableDownload(_:to:context:progress:)``.
    ///
    /// - Parameters:
    ///   - deadline: when the transfer must have completed, see ``send(_:body:deadline:)``.
    ///   - progress: called after writes, in the task that downloads, which waits for it. It must not
    ///     block. With it, the task writes files in memory, too.
    /// - Returns: the response, whose body has been read.
    /// - Throws: ``TransportError/Code/fileWriteFailed`` if the file can't be written, or any other
    ///   error of the transfer.
    public func download(
        _ request: HTTPRequest,
        to path: String,
        body: RequestBody = .none,
        deadline: ContinuousClock.Instant? = nil,
        progress: (@Sendable (DownloadProgress) -> Void)? = nil
    ) async throws(TransportError) -> HTTPClientResponse {
        let response = try await send(request, body: body, deadline: deadline)
        try await write(response, to: path, progress)
        return response
    }

    /// Downloads with the given options instead of the client's.
    ///
    /// See ``download(_:to:body:deadline:progress:)``.
    public func download(
        _ request: HTTPRequest,
        to path: String,
        body: RequestBody = .none,
        options: TransferOptions,
        deadline: ContinuousClock.Instant? = nil,
        progress: (@Sendable (DownloadProgress) -> Void)? = nil
    ) async throws(TransportError) -> HTTPClientResponse {
        let response = try await send(request, body: body, options: options, deadline: deadline)
        try await write(response, to: path, progress)
        return response
    }

    private func write(
        _ response: HTTPClientResponse,
        to path: String,
        _ progress: (@Sendable (DownloadProgress) -> Void)?
    ) async throws(TransportError) {
        let target = DownloadTarget()
        let isEncoded = RangeRequest.isEncoded(response.head.values(of:))
        let expected = isEncoded ? nil : response.head.contentLength
        let report: (() -> Void)? = progress.map { progress in
            { progress(DownloadProgress(received: target.written, expected: expected)) }
        }
        do {
            if let exchange = response.body.exchange {
                try await write(exchange, to: target, at: path, report)
            } else {
                try await write(response.body, to: target, at: path, report)
            }
            try await onFileThread { try target.commit() }
        } catch let error as TransportError {
            await discard(target)
            throw error
        } catch {
            await discard(target)
            throw .fileWriteFailed(error)
        }
    }

    /// Writes the body of a transfer of this client.
    private func write(
        _ exchange: ClientExchange,
        to target: DownloadTarget,
        at path: String,
        _ report: (() -> Void)?
    ) async throws {
        let isInMemory = try await onFileThread { try target.open(path) }
        // The loop calls no code of the program.
        if isInMemory, report == nil { exchange.write(to: target) }
        report?()
        while try await exchange.hasMore() {
            try await onFileThread { try target.writeReceived(to: exchange) }
            report?()
        }
    }

    /// Writes a body that middleware has made.
    private func write(
        _ body: ResponseBody,
        to target: DownloadTarget,
        at path: String,
        _ report: (() -> Void)?
    ) async throws {
        _ = try await onFileThread { try target.open(path) }
        report?()
        for try await chunk in body {
            try await onFileThread { try target.write(chunk.span) }
            report?()
        }
    }

    private func discard(_ target: DownloadTarget) async {
        try? await onFileThread { target.discard() }
    }
}
