import Foundation

extension DownloaderScript {
    static let resumeSteps = [
        Step("resumed", resumed),
        Step("changed meanwhile", changedMeanwhile),
        Step("not resumable", notResumable),
        Step("cancelled", cancelled),
    ]

    /// Stops a download halfway, then resumes or restarts it.
    ///
    /// It restarts the download if there is no resume data.
    private static func interrupt(_ path: String, _ stage: Stage) async throws {
        try await withDownloader { downloader in
            guard let download = downloader.start(stage.url(path), as: "file") else { return }
            var log = ProgressLog(stage)
            await log.follow(download, until: isHalf)
            let resumeData = await download.pause()
            stage.log("resume data: \(resumeData != nil)")
            await followError(download, stage)
            let url = stage.url(path)
            let second =
                resumeData.map { downloader.resume($0, as: "file") }
                ?? downloader.start(url, as: "file")
            guard let second else { return }
            var secondLog = ProgressLog(stage)
            await secondLog.follow(second)
        }
    }

    /// The resume data is also in the error.
    private static func followError(_ download: Download, _ stage: Stage) async {
        for await event in download.events {
            guard case .ended(let error, _) = event else { continue }
            let information = (error as? URLError)?.errorUserInfo ?? [:]
            let hasData = information[URLSessionDownloadTaskResumeData] is Data
            stage.log("ended: \(stage.text(of: error)), resume data: \(hasData)")
        }
    }

    private static func resumed(_ stage: Stage) async throws {
        try await interrupt("/held", stage)
    }

    private static func changedMeanwhile(_ stage: Stage) async throws {
        try await interrupt("/changing", stage)
    }

    /// Without a validator a download can't be resumed.
    ///
    /// The client can't tell whether the rest belongs to the first part.
    private static func notResumable(_ stage: Stage) async throws {
        try await interrupt("/unmarked", stage)
    }

    private static func cancelled(_ stage: Stage) async throws {
        try await withDownloader { downloader in
            guard let download = downloader.start(stage.url("/stopped"), as: "file") else { return }
            var log = ProgressLog(stage)
            await log.follow(download, until: isHalf)
            download.task.cancel()
            await followError(download, stage)
        }
    }
}
