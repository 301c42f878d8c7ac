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
    /// - Parameter deadline: when the transfer must have completed, see ``send(_:body:deadline:)``.
    /// - Returns: the response, whose body has been read.
    /// - Throws: ``TransportError/Code/fileWriteFailed`` if the file can't be written, or any other
    ///   error of the transfer.
    public func download(
        _ request: HTTPRequest,
        to path: String,
        body: RequestBody = .none,
        deadline: ContinuousClock.Instant? = nil
    ) async throws(TransportError) -> HTTPClientResponse {
        let response = try await send(request, body: body, deadline: deadline)
        try await write(response, to: path)
        return response
    }

    /// Downloads with the given options instead of the client's.
    public func download(
        _ request: HTTPRequest,
        to path: String,
        body: RequestBody = .none,
        options: TransferOptions,
        deadline: ContinuousClock.Instant? = nil
    ) async throws(TransportError) -> HTTPClientResponse {
        let response = try await send(request, body: body, options: options, deadline: deadline)
        try await write(response, to: path)
        return response
    }

    private func write(
        _ response: HTTPClientResponse,
        to path: String
    ) async throws(TransportError) {
        let target = DownloadTarget()
        do {
            if let exchange = response.body.exchange {
                try await write(exchange, to: target, at: path)
            } else {
                try await write(response.body, to: target, at: path)
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
        at path: String
    ) async throws {
        let isInMemory = try await onFileThread { try target.open(path) }
        if isInMemory { exchange.write(to: target) }
        while try await exchange.hasMore() {
            try await onFileThread { try target.writeReceived(to: exchange) }
        }
    }

    /// Writes a body that middleware has made.
    private func write(
        _ body: ResponseBody,
        to target: DownloadTarget,
        at path: String
    ) async throws {
        _ = try await onFileThread { try target.open(path) }
        for try await chunk in body {
            try await onFileThread { try target.write(chunk.span) }
        }
    }

    private func discard(_ target: DownloadTarget) async {
        try? await onFileThread { target.discard() }
    }
}
