internal import Curl
public import HTTPTypes
internal import Synchronization

extension HTTPClient {
    /// Sends a request and writes the response's content to a file.
    ///
    /// The bytes go to a temporary file beside the target, which takes the target's name when the
    /// content is complete: whoever looks at `path` sees the old file or all of the new one. An
    /// error leaves nothing behind. The content of any status is written; see the response's.
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
            try await onFileThread { try target.open(path) }
            while try await exchange.hasMore() {
                try await onFileThread { try target.writeWhatCame(to: exchange) }
            }
            try await onFileThread { try target.commit() }
        } catch let error as TransportError {
            await discard(target)
            throw error
        } catch {
            await discard(target)
            throw .fileWriteFailed("\(error)", systemErrno: (error as? FileError)?.errno)
        }
    }

    private func discard(_ target: DownloadTarget) async {
        try? await onFileThread { target.discard() }
    }
}

/// The file of one download, used by one job of the file thread at a time.
private final class DownloadTarget: Sendable {
    private let file = Mutex<TemporaryFile?>(nil)

    func open(_ path: String) throws(FileError) {
        try file.withLock { file throws(FileError) in file = try TemporaryFile(for: path) }
    }

    /// As many chunks are written in one job; other downloads want the thread as well.
    private static let share = 16

    /// Writes what has come, and what comes meanwhile, so that a disk that is slower than the server
    /// is waited for on this thread alone.
    func writeWhatCame(to exchange: ClientExchange) throws {
        for _ in 0..<Self.share {
            guard let chunk = try exchange.chunkAtHand() else { return }
            try file.withLock { file throws(FileError) in try file?.write(chunk.span) }
        }
    }

    func commit() throws(FileError) {
        try file.withLock { file throws(FileError) in try file.take()?.commit() }
    }

    func discard() {
        file.withLock { $0 = nil }
    }
}
