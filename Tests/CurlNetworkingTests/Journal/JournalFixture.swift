internal import Foundation
internal import TestSupport

@testable internal import CurlNetworking

/// Folders for a journal and for files, and journals in the one.
struct JournalFixture {
    let folder: TemporaryDirectory
    let files: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        files = try TemporaryDirectory()
    }

    var journalFolder: URL { URL(fileURLWithPath: folder.path("journal")) }

    func file(_ name: String) -> URL { URL(fileURLWithPath: files.path(name)) }

    /// A journal that doesn't wait between attempts.
    func journal(
        _ manager: URLSessionManager = .test(),
        _ configure: (inout TransferJournalConfiguration) -> Void = { _ in }
    ) throws -> TransferJournal {
        var configuration = TransferJournalConfiguration()
        configuration.retryDelay = 0
        configure(&configuration)
        return try TransferJournal(
            at: journalFolder,
            manager: manager,
            configuration: configuration
        )
    }

    /// Runs a program of its own with this journal to its end, and returns its status and what it has
    /// written.
    func probe(_ arguments: [String]) async throws -> (status: Int32, output: String) {
        let process = try ChildProcess(try command(arguments))
        let status = try await NativeThread.run { process.waitForEnd() }
        return (status, process.output)
    }

    func command(_ arguments: [String]) throws -> [String] {
        [try BuiltProducts.path("JournalProbe"), journalFolder.path, files.path] + arguments
    }
}

extension LoopbackServer {
    /// The requests for a path, in order.
    func requests(for path: String) -> [RecordedRequest] {
        requests.filter { $0.path == path }
    }
}

extension TransferJournal {
    /// Returns when what the journal was given to write is in a file, and that is so long.
    func size(of path: String, atLeast count: Int) async throws {
        while true {
            _ = try await jobs()
            let values = try? FileManager.default.attributesOfItem(atPath: path)
            if values?[.size] as? Int ?? 0 >= count { return }
            await Task.yield()
        }
    }
}
