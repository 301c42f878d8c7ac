internal import Curl
public import HTTPTypes

extension HTTPClient {
    /// Sends a request and writes the response's content to a file.
    ///
    /// The bytes go to a temporary file beside the target, which takes the target's name when the
    /// content is complete: whoever looks at `path` sees the old file or all of the new one. An
    /// error leaves nothing behind. The content of any status is written; see the response's.
    /// A thread of the client waits for the disk; what is on none (tmpfs) its event loop writes.
    ///
    /// - Returns: the response; its body has been read.
    /// - Throws: ``TransportError/Code/fileWriteFailed`` if the file can't be written, and whatever
    ///   ends a transfer.
    public func download(
        _ request: HTTPRequest,
        to path: String,
        body: RequestBody = .none
    ) async throws(TransportError) -> HTTPClientResponse {
        let response = try await send(request, body: body)
        try await write(response, to: path)
        return response
    }

    /// Downloads with options of the request's own, instead of the client's.
    public func download(
        _ request: HTTPRequest,
        to path: String,
        body: RequestBody = .none,
        options: TransferOptions
    ) async throws(TransportError) -> HTTPClientResponse {
        let response = try await begin(request, body: body, options: options).response()
        try await write(response, to: path)
        return response
    }

    private func write(
        _ response: HTTPClientResponse,
        to path: String
    ) async throws(TransportError) {
        let target = DownloadTarget()
        let exchange = response.body.exchange
        do {
            let isInMemory = try await onFileThread { try target.open(path) }
            if isInMemory { exchange.write(to: target) }
            while try await exchange.hasMore() {
                try await onFileThread { try target.writeWhatCame(to: exchange) }
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

    private func discard(_ target: DownloadTarget) async {
        try? await onFileThread { target.discard() }
    }
}
