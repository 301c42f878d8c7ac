import Foundation

extension DownloaderScript {
    static let handlerSteps = [
        Step("completion handler", completionHandler),
        Step("awaited", awaited),
        Step("invalid resume data", invalidResumeData),
    ]

    private static func completionHandler(_ stage: Stage) async throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let url = stage.url("/files/70000")
        let location = await withCheckedContinuation { continuation in
            let task = session.downloadTask(with: url) { location, response, error in
                let status = (response as? HTTPURLResponse)?.statusCode ?? 0
                stage.log("\(status): \(stage.text(of: error))")
                let data = location.flatMap { try? Data(contentsOf: $0) }
                stage.log("right: \(data == Pattern.data(70_000))")
                continuation.resume(returning: location)
            }
            task.resume()
        }
        stage.log("at a file: \(location?.isFileURL ?? false)")
    }

    private static func awaited(_ stage: Stage) async throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let (location, response) = try await session.download(from: stage.url("/files/70000"))
        defer { try? FileManager.default.removeItem(at: location) }
        let data = try Data(contentsOf: location)
        stage.log("\((response as? HTTPURLResponse)?.statusCode ?? 0): \(data.count) bytes")
        stage.log("right: \(data == Pattern.data(70_000))")
    }

    private static func invalidResumeData(_ stage: Stage) async throws {
        try await withDownloader { downloader in
            guard let download = downloader.resume(Data("nothing".utf8), as: "file") else { return }
            for await event in download.events {
                guard case .ended(let error, let status) = event else { continue }
                stage.log("ended \(status): \(error != nil)")
            }
        }
    }
}
