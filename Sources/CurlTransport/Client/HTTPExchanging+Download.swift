public import HTTPTypes
internal import Posix

extension HTTPExchanging {
    /// Downloads to a file, and continues an earlier download that was interrupted.
    ///
    /// The bytes go to `path` with the suffix `.partial`, which is renamed when the content is
    /// complete. If the download fails or is cancelled, or if the program ends, the incomplete file
    /// stays, with a small file `.partial-state`. The next call with the same path and the
    /// same URL, apart from its query, requests the missing bytes only (`Range` and `If-Range`, RFC
    /// 9110). If the content has changed meanwhile, the server sends all of it, and the file begins
    /// again.
    ///
    /// For that, the server must name its content with a strong `ETag` or an old enough
    /// `Last-Modified`, and the content mustn't be compressed: the request asks for no compression,
    /// unless it has an `Accept-Encoding`. Otherwise the incomplete file is removed.
    ///
    /// If two downloads have the same path, the second one doesn't continue or keep anything. The
    /// incomplete file isn't synchronized with the device, so its content is uncertain after a power
    /// failure: remove it then.
    ///
    /// - Parameters:
    ///   - request: a `GET`. Of another method, and with fields that select a part or a version
    ///     themselves, nothing is continued or kept.
    ///   - path: the file. A name has room for the suffix if it has at most 240 bytes.
    ///   - context: options, and the deadline of the whole download.
    ///   - progress: called after each write, in the task that downloads, which waits for it. It must
    ///     not block.
    /// - Returns: the result. For a status that isn't 2xx, nothing is written, and the response's
    ///   body can be read.
    /// - Throws: ``TransportError/Code/fileWriteFailed`` if the file can't be written,
    ///   ``TransportError/Code/invalidResponse`` for a part that wasn't requested, or any other error
    ///   of the transfer.
    public func resumableDownload(
        _ request: HTTPRequest,
        to path: String,
        context: RequestContext = RequestContext(),
        progress: (@Sendable (DownloadProgress) -> Void)? = nil
    ) async throws(TransportError) -> DownloadResult {
        let download = ResumableDownload(
            client: self,
            request: request,
            context: context,
            files: FileThread(of: self),
            progress: progress
        )
        return try await download.run(to: path)
    }
}

/// The result of a resumable download.
public struct DownloadResult: Sendable {
    /// The last response.
    ///
    /// Its status is 206 if the server has sent the missing bytes, and 416 if none were missing.
    public let response: HTTPClientResponse

    /// Whether the file is complete; false for a status that isn't 2xx.
    public let isComplete: Bool

    /// The bytes in the file, and those from an earlier download.
    public let progress: DownloadProgress
}

/// The thread for the file of a download.
struct FileThread: Sendable {
    private let client: HTTPClient?

    /// For exchangers without a thread of their own, such as stubs. Its first job starts it.
    private static let common = BlockingWorker()

    init(of exchanger: any HTTPExchanging) {
        client = exchanger as? HTTPClient
    }

    /// Runs a job that may wait for a disk.
    ///
    /// - Throws: a ``TransportError/Code/fileWriteFailed`` for an error of the job.
    func run<Value: Sendable>(
        _ job: @escaping @Sendable () throws -> Value
    ) async throws(TransportError) -> Value {
        do {
            guard let client else { return try await Self.common.run(job) }
            return try await client.onFileThread(job)
        } catch {
            throw .fileWriteFailed(error)
        }
    }
}
