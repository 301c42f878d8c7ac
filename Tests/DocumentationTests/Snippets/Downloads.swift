internal import CurlNetworking
internal import Foundation

/// What the page "Downloads that survive a restart" shows.
struct Downloads: Sendable {
    let print: Print

    func options(_ manager: HTTPSessionManager, _ request: URLRequest, _ folder: URL) async throws {
        // snippet: Downloads/options
        let (file, _) = try await manager.download(
            for: request,
            options: [.removePreviousFile, .createIntermediateDirectories],
            to: URLSessionManager.suggestedDownloadDestination(in: folder)
        )
        // end
        print(file.lastPathComponent)
    }

    func journal(_ manager: HTTPSessionManager, _ folder: URL, _ url: URL, _ file: URL)
        async throws
    {
        // snippet: Downloads/journal
        let journal = try TransferJournal(at: folder, manager: manager)
        let left = try await journal.restore { job in
            { job in print("\(job.id) is \(job.state)") }
        }
        print("\(left.count) jobs were left")

        if try await !journal.jobs().contains(where: { $0.id == "catalogue" }) {
            try await journal.download(URLRequest(url: url), to: file, id: "catalogue") { job in
                print("\(job.id) is \(job.state)")
            }
        }
        await journal.finishEvents()
        await journal.close()
        // end
    }

    func again(_ journal: TransferJournal) async throws {
        // snippet: Downloads/again
        for job in try await journal.jobs() where job.state == .failed {
            print(job.failure?.message ?? "failed")
            try await journal.resume(job.id)
        }
        try await journal.removeFinishedJobs()
        // end
    }

    static func configuration(_ token: @escaping @Sendable () async throws -> String)
        -> TransferJournalConfiguration
    {
        // snippet: Downloads/configuration
        var configuration = TransferJournalConfiguration()
        configuration.maximumConcurrentTransfers = 8
        configuration.omittedHeaderFields.insert("X-Shop-Token")
        configuration.requestPreparation = { request, job in
            var request = request
            request.setValue("Bearer \(try await token())", forHTTPHeaderField: "Authorization")
            return request
        }
        // end
        return configuration
    }
}
