import Foundation

/// A downloader with progress that resumes stopped downloads.
enum DownloaderScript {
    static let steps =
        [
            Step("file", file),
            Step("unknown length", unknownLength),
            Step("missing", missing),
            Step("broken", broken),
            Step("refused", refused),
            Step("several", several),
            Step("suspended", suspended),
        ] + resumeSteps + handlerSteps

    /// Runs `body` with a downloader that has its own folder.
    static func withDownloader(
        _ configuration: URLSessionConfiguration = .ephemeral,
        _ body: (Downloader) async throws -> Void
    ) async throws {
        let name = "curlnetworking-" + UUID().uuidString
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let downloader = Downloader(folder: folder, configuration: configuration)
        try await body(downloader)
        await downloader.finish()
    }

    static func isHalf(_ event: DownloadEvent) -> Bool {
        guard case .progress(let written, let expected) = event else { return false }
        return written * 2 >= expected
    }

    /// Downloads one file and logs its events.
    static func fetch(_ path: String, _ stage: Stage) async throws {
        try await withDownloader { downloader in
            guard let download = downloader.start(stage.url(path), as: "file") else { return }
            var log = ProgressLog(stage)
            await log.follow(download)
            await downloader.finish()
            let task = download.task
            stage.log("\(task.taskDescription ?? "unnamed") completed: \(task.state == .completed)")
        }
    }

    private static func file(_ stage: Stage) async throws {
        try await withDownloader { downloader in
            guard let download = downloader.start(stage.url("/files/500000"), as: "file") else {
                return
            }
            var log = ProgressLog(stage)
            await log.follow(download)
            await downloader.finish()
            let task = download.task
            stage.log("\(task.countOfBytesReceived) of \(task.countOfBytesExpectedToReceive)")
        }
    }

    private static func unknownLength(_ stage: Stage) async throws {
        try await fetch("/unknown", stage)
        stage.log("unknown is \(NSURLSessionTransferSizeUnknown)")
    }

    /// A response of any status is a download.
    private static func missing(_ stage: Stage) async throws {
        try await fetch("/missing", stage)
    }

    /// The connection ends in the middle.
    private static func broken(_ stage: Stage) async throws {
        try await withDownloader { downloader in
            guard let download = downloader.start(stage.url("/broken"), as: "file") else { return }
            var log = ProgressLog(stage)
            await log.follow(download, until: isHalf)
            try await stage.control("open/broken")
            await log.follow(download)
        }
    }

    /// No server listens: the test server names an unused port.
    private static func refused(_ stage: Stage) async throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let (data, _) = try await session.data(from: stage.url("/control/unused"))
        let address = String(decoding: data, as: UTF8.self)
        try await withDownloader { downloader in
            guard let url = URL(string: address), let download = downloader.start(url, as: "file")
            else { return }
            var log = ProgressLog(stage)
            await log.follow(download)
        }
    }

    private static func several(_ stage: Stage) async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 2
        try await withDownloader(configuration) { downloader in
            let downloads = (1...6).compactMap { number in
                downloader.start(stage.url("/files/\(number)0000"), as: "\(number)")
            }
            for download in downloads {
                stage.log("file \(download.task.taskDescription ?? "unnamed")")
                var log = ProgressLog(stage)
                await log.follow(download)
            }
        }
    }

    private static func suspended(_ stage: Stage) async throws {
        try await withDownloader { downloader in
            guard let download = downloader.start(stage.url("/gated"), as: "file") else { return }
            var log = ProgressLog(stage)
            await log.follow(download, until: isHalf)
            download.task.suspend()
            stage.log("suspended: \(download.task.state == .suspended)")
            download.task.resume()
            stage.log("running: \(download.task.state == .running)")
            try await stage.control("open/gated")
            await log.follow(download)
        }
    }
}
