internal import Foundation
internal import Synchronization
internal import Testing

@testable internal import CurlURLSession

@Suite(.timeLimit(.minutes(10))) struct MemoryFileTests {
    /// A file system in memory.
    private static let folder = "/dev/shm"
    private static let isThere = FileManager.default.isWritableFile(atPath: folder)

    private let queue = OperationQueue()
    private let path = "\(folder)/memory-file-test-\(UUID().uuidString)"

    init() {
        queue.maxConcurrentOperationCount = 1
    }

    private func content() throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    }

    private func append(_ text: String, to file: DownloadFile) -> Bool {
        file.append(Array(text.utf8).span)
    }

    @Test(
        "The queue opens the file, and the loop writes what arrives afterwards",
        .enabled(if: isThere)
    )
    func loopWritesOpenFileInMemory() throws {
        let session = URLSession.test()
        defer { session.invalidateAndCancel() }
        let core = session.downloadTask(with: try #require(URL(string: "http://localhost/"))).core
        let file = DownloadFile(resuming: URL(fileURLWithPath: path), queue: queue)
        defer { try? FileManager.default.removeItem(at: file.url) }
        #expect(!append("one ", to: file))
        #expect(!file.isWrittenByLoop)
        #expect(file.takeWork())
        queue.isSuspended = true
        file.write(for: core)
        // The queue may be about to write what came before.
        #expect(!append("two ", to: file))
        queue.isSuspended = false
        queue.waitUntilAllOperationsAreFinished()
        #expect(file.isWrittenByLoop)
        #expect(!append("three", to: file))
        #expect(try content() == "one two three")
        #expect(file.written == 13)
        #expect(!file.takeWork())
        file.complete(for: core)
        queue.waitUntilAllOperationsAreFinished()
        #expect(!file.isWrittenByLoop)
        #expect(try content() == "one two three")
    }

    @Test("An error of the loop's write fails the task", .enabled(if: isThere))
    func loopsWriteErrorFailsTask() throws {
        // Ten bytes less than the longest file.
        let offset = Int64.max - 10
        try #require(FileManager.default.createFile(atPath: path, contents: nil))
        try FileHandle(forWritingTo: URL(fileURLWithPath: path)).truncate(
            atOffset: UInt64(offset)
        )
        let session = URLSession.test()
        defer { session.invalidateAndCancel() }
        let core = session.downloadTask(with: try #require(URL(string: "http://localhost/"))).core
        let file = DownloadFile(resuming: URL(fileURLWithPath: path), at: offset, queue: queue)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(!append("five!", to: file))
        #expect(file.takeWork())
        file.write(for: core)
        queue.waitUntilAllOperationsAreFinished()
        #expect(file.isWrittenByLoop)
        #expect(!append("more than five", to: file))
        #expect(!file.isWrittenByLoop)
        #expect(file.takeWork())
        file.write(for: core)
        queue.waitUntilAllOperationsAreFinished()
        let error = core.state.withLock { $0.error as? URLError }
        #expect(error?.code == .cannotWriteToFile)
        #expect(!file.takeWork())
    }
}
