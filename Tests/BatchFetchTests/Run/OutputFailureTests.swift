import CurlResilience
import Foundation
import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// Outputs that can't be written any more, for any URL.
@Suite(.timeLimit(.minutes(10))) struct OutputFailureTests {
    let folder: TemporaryDirectory
    let list: String

    init() throws {
        folder = try TemporaryDirectory()
        list = try folder.write((1...50).map { "http://host/\($0)\n" }.joined(), to: "list")
    }

    private func failure(_ number: Int32) -> AttemptOutcome {
        let error = FileError(operation: "write", path: "/out/x", errno: number)
        var outcome = AttemptOutcome(status: 200)
        outcome.failure = (BatchFailure(.output, error), .permanent)
        return outcome
    }

    private func fetch(
        _ script: @escaping @Sendable (FetchTarget, Int) -> AttemptOutcome?
    ) async throws -> (requested: [String], run: BatchRun) {
        let requested = Recorder()
        let journal = try BatchJournal(
            path: folder.path("journal"),
            lists: [list],
            results: folder.path("results")
        )
        let log = try ResultLog(journal: journal)
        let fetcher = ScriptedFetcher { target, attempt in
            requested.append(target.url)
            return script(target, attempt)
        }
        let run = try Batch(BatchConfiguration(concurrency: 1)).start(
            .file(list),
            journal: journal,
            fetcher: fetcher
        )
        for await result in run { log.append(result) }
        try log.close()
        return (requested.values, run)
    }

    private func lines() throws -> [ResultLine] {
        try ResultLine.lines(String(decoding: try folder.read("results"), as: UTF8.self))
    }

    @Test(arguments: [ENOSPC, EDQUOT, EROFS, EIO])
    func runThatCannotWriteEndsAndCanBeResumed(number: Int32) async throws {
        let (first, run) = try await fetch { [self] target, _ in
            target.url.hasSuffix("/5") ? failure(number) : .success
        }
        #expect(first.count == 5)
        let reason = try #require(run.outputFailure)
        #expect(reason.code == .output && reason.systemErrno == number)
        #expect(reason.message.contains("cannot write “/out/x”"))
        #expect(reason.message.contains("free space"))
        #expect(try lines().map(\.ordinal) == [1, 2, 3, 4])
        let (second, later) = try await fetch { _, _ in .success }
        #expect(second.first == "http://host/5")
        #expect(second.count == 46 && later.outputFailure == nil)
        #expect(try lines().map(\.ordinal).sorted() == Array(1...50))
        #expect(try lines().allSatisfy { $0.ok })
    }

    /// An error of one name doesn't affect other names.
    @Test func failureOfOneFileDoesNotEndTheRun() async throws {
        let (requested, run) = try await fetch { [self] target, _ in
            target.url.hasSuffix("/5") ? failure(EEXIST) : .success
        }
        #expect(requested.count == 50 && run.outputFailure == nil)
        #expect(try lines().count { !$0.ok } == 1)
    }

    @Test(
        "An output folder that is deleted or renamed during the run is an error at its end",
        arguments: [false, true]
    )
    func lostOutputFolderIsAnError(isRenamed: Bool) async throws {
        let path = folder.path("out")
        let moved = folder.path("moved")
        var configuration = BatchConfiguration(concurrency: 1)
        configuration.output = .directory(path)
        let fetcher = ScriptedFetcher { target, _ in
            guard target.url.hasSuffix("/5") else { return .success }
            if isRenamed {
                try? FileManager.default.moveItem(atPath: path, toPath: moved)
            } else {
                try? FileManager.default.removeItem(atPath: path)
            }
            return .success
        }
        let run = try Batch(configuration).start(.file(list), fetcher: fetcher)
        let count = await run.reduce(0) { count, _ in count + 1 }
        #expect(count == 50)
        let failure = try #require(run.outputFailure)
        #expect(failure.code == .output)
        #expect(failure.message.contains("“\(path)” was deleted or renamed"), "\(failure)")
    }
}
