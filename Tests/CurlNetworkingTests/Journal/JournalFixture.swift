internal import Foundation
internal import TestSupport

@testable internal import CurlNetworking

/// A folder for a journal and a folder for files.
struct JournalFixture {
    let folder: TemporaryDirectory
    let files: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        files = try TemporaryDirectory()
    }

    var journalFolder: URL { URL(fileURLWithPath: folder.path("journal")) }

    func file(_ name: String) -> URL { URL(fileURLWithPath: files.path(name)) }

    /// Returns a journal that doesn't wait between attempts.
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

    /// Runs the journal probe, a separate program, to its end, and returns its status and its
    /// output.
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
    /// Waits until a file of the journal has at least `count` bytes, and the journal's queue has
    /// completed its earlier work.
    func size(of path: String, atLeast count: Int) async throws {
        _ = try await jobs()
        try await FolderWatch.wait(in: [URL(filePath: path).deletingLastPathComponent().path]) {
            let values = try? FileManager.default.attributesOfItem(atPath: path)
            return values?[.size] as? Int ?? 0 >= count
        }
        _ = try await jobs()
    }
}
