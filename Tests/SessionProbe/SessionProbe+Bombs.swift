internal import CurlTransport
internal import CurlURLSession
internal import Dispatch
internal import Foundation
internal import TestSupport

/// Receives an endless compressed body, and measures its memory.
///
/// Slow readers send other requests after each piece. Meanwhile the transfer may receive more.
extension SessionProbe {
    private static let requestsPerPiece = 3
    private static let pieceSize = 64 << 10

    /// Receives `count` pieces with a delegate that blocks in each call.
    ///
    /// Prints the most bytes that the task has received and not delivered.
    func bombSlowDelegate(_ count: Int) async throws {
        let (beside, before) = try await begin()
        let reader = SlowReader()
        let loader = session(delegate: reader)
        let task = loader.dataTask(with: at("bomb"))
        task.resume()
        var held = 0
        for number in 1...count {
            try await reader.progress.wait { $0.pieces >= number || $0.hasEnded ? () : nil }
            if reader.progress.read({ $0.hasEnded }) {
                print("ended=\(number)")
                break
            }
            try await pass(beside)
            held = max(held, Int(task.countOfBytesReceived) - reader.progress.read { $0.bytes })
            reader.allowNextPiece()
        }
        report(held: held, since: before)
        task.cancel()
        // The delegate may already block with another piece.
        reader.allowNextPiece()
        loader.invalidateAndCancel()
    }

    /// Reads `count` pieces of 64 KiB byte by byte, and pauses after each.
    func bombSlowBytes(_ count: Int) async throws {
        let (beside, before) = try await begin()
        let loader = session()
        let (bytes, _) = try await loader.bytes(from: at("bomb"))
        var read = 0
        var held = 0
        for try await _ in bytes {
            read += 1
            guard read.isMultiple(of: Self.pieceSize) else { continue }
            try await pass(beside)
            held = max(held, Int(bytes.task.countOfBytesReceived) - read)
            if read == count * Self.pieceSize { break }
        }
        report(held: held, since: before)
        print("read=\(read)")
        loader.invalidateAndCancel()
    }

    /// Collects the body with a limit of 10 MiB. Prints the error's code.
    func bombCollect() async throws {
        let (_, before) = try await begin()
        let loader = session {
            $0.decompressionLimit = DecompressionLimit(bytes: 10 << 20, ratio: 10)
        }
        do {
            _ = try await loader.data(from: at("bomb"))
        } catch {
            print("error=\((error as? URLError)?.code.rawValue ?? 0)")
        }
        report(held: 0, since: before)
    }

    /// Downloads until `count` MiB are written, and then cancels the task.
    ///
    /// Prints the written bytes and the error's code. Ends when the file is removed.
    func bombDownload(_ count: Int) async throws {
        let (_, before) = try await begin()
        let canceller = DownloadCanceller(afterBytes: Int64(count) << 20)
        let loader = session(delegate: canceller)
        loader.downloadTask(with: at("bomb")).resume()
        let end = try await canceller.end.wait { $0 }
        report(held: 0, since: before)
        print("written=\(end.written)")
        print("error=\(end.code)")
        loader.invalidateAndCancel()
        let folder = FileManager.default.temporaryDirectory.path
        try await FolderWatch.wait(in: [folder]) {
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
            return names?.contains { $0.hasPrefix("CurlURLSessionDownload_") } == false
        }
    }

    /// Returns a session for other requests, and the memory that the process takes before the bomb.
    private func begin() async throws -> (beside: URLSession, before: Int) {
        let beside = session()
        // Warms up: the process allocates some things once and keeps them.
        try await pass(beside)
        ProcessFacts.resetPeak()
        return (beside, ProcessFacts.residentBytes)
    }

    private func pass(_ beside: URLSession) async throws {
        for _ in 0..<Self.requestsPerPiece { _ = try await beside.data(from: at("beside")) }
    }

    private func report(held: Int, since before: Int) {
        print("held=\(held)")
        print("peak=\(ProcessFacts.peakResidentBytes - before)")
    }
}

/// Blocks the delegate queue with each piece of a body until it is allowed to continue.
private final class SlowReader: NSObject, URLSessionDataDelegate {
    struct Progress: Sendable {
        var pieces = 0
        var bytes = 0
        var hasEnded = false
    }

    let progress = Watched(Progress())
    private let allowed = DispatchSemaphore(value: 0)

    func allowNextPiece() { allowed.signal() }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        progress.update {
            $0.pieces += 1
            $0.bytes += data.count
        }
        allowed.wait()
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        progress.update { $0.hasEnded = true }
    }
}

/// Cancels a download when its file has a given number of bytes.
private final class DownloadCanceller: NSObject, URLSessionDownloadDelegate {
    struct End: Sendable {
        let written: Int64
        let code: Int
    }

    /// Set when the task has completed.
    let end = Watched<End?>(nil)
    private let written = Watched<Int64>(0)
    private let limit: Int64

    init(afterBytes limit: Int64) {
        self.limit = limit
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        written.update { $0 = totalBytesWritten }
        if totalBytesWritten >= limit { downloadTask.cancel() }
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {}

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        let code = (error as? URLError)?.code.rawValue ?? 0
        let written = written.read { $0 }
        end.update { $0 = End(written: written, code: code) }
    }
}
