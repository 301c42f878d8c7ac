import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// How a sink passes a body to the disk threads: pieces, pauses, failures and ends.
@Suite(.timeLimit(.minutes(10))) struct DiskSinkTests {
    private static let piece = 64 * 1024

    private let flow = RecordedFlow()

    /// Runs `body` with disk threads that end after it.
    private func withDisk(_ body: (DiskThreads) async throws -> Void) async throws {
        let disk = try DiskThreads()
        defer { disk.stop() }
        try await body(disk)
    }

    /// Receives `count` equal bytes.
    private func receive(_ count: Int, _ sink: DiskSink, _ byte: UInt8 = 1) -> String {
        "\(sink.receive([UInt8](repeating: byte, count: count).span, flow: flow))"
    }

    @Test func smallPiecesAreWrittenTogether() async throws {
        try await withDisk { disk in
            let body = RecordedBody()
            let sink = DiskSink(body, disk: disk)
            for byte in UInt8(0)..<4 { #expect(receive(10, sink, byte) == "more") }
            #expect(receive(Self.piece - 41, sink) == "more")
            #expect(body.calls.events.isEmpty)
            #expect(await sink.ending(isComplete: true) == "file recorded")
            #expect(body.calls.events == [.append(Self.piece - 1), .commit])
            #expect(body.bytes.prefix(40).enumerated().allSatisfy { $1 == $0 / 10 })
            #expect(flow.resumed.read { $0 } == 0)
        }
    }

    @Test func emptyBodyIsCommittedWithoutAWrite() async throws {
        try await withDisk { disk in
            let body = RecordedBody()
            let sink = DiskSink(body, disk: disk)
            #expect(receive(0, sink) == "more")
            #expect(await sink.ending(isComplete: true) == "file recorded")
            #expect(body.calls.events == [.commit])
        }
    }

    @Test func transferPausesWhileTheDiskIsBehind() async throws {
        try await withDisk { disk in
            let body = RecordedBody(isBlocked: true)
            let sink = DiskSink(body, disk: disk)
            #expect(receive(Self.piece, sink) == "more")
            // What the disk is writing doesn't count as pending.
            _ = try await body.calls.wait(count: 1)
            for _ in 0..<3 { #expect(receive(Self.piece, sink, 2) == "more") }
            #expect(receive(Self.piece - 1, sink, 2) == "more")
            #expect(receive(1, sink, 2) == "pause")
            #expect(flow.resumed.read { $0 } == 0)
            body.firstAppend.open()
            try await flow.resumed.wait { $0 == 1 ? () : nil }
            #expect(await sink.ending(isComplete: true) == "file recorded")
            #expect(body.calls.events == [.append(Self.piece), .append(4 * Self.piece), .commit])
            #expect(body.bytes.count == 5 * Self.piece)
            #expect(flow.resumed.read { $0 } == 1)
        }
    }

    @Test func pausedTransferResumesWhenTheDiskFails() async throws {
        try await withDisk { disk in
            let failure = BatchFailure(.output, "the disk is full")
            let body = RecordedBody(isBlocked: true, appendFailure: failure)
            let sink = DiskSink(body, disk: disk)
            #expect(receive(Self.piece, sink) == "more")
            _ = try await body.calls.wait(count: 1)
            #expect(receive(4 * Self.piece, sink) == "pause")
            body.firstAppend.open()
            try await flow.resumed.wait { $0 == 1 ? () : nil }
            #expect(receive(1, sink) == "stop")
            #expect(await sink.ending(isComplete: false) == "failed output: the disk is full")
            // Nothing is written after the failure, and the body is dropped once.
            #expect(body.calls.events == [.append(Self.piece), .drop])
        }
    }

    /// The whole body was received before the failure; it must not count as complete.
    @Test func failureAtTheLastPieceIsReported() async throws {
        try await withDisk { disk in
            let body = RecordedBody(appendFailure: BatchFailure(.output, "the disk is full"))
            let sink = DiskSink(body, disk: disk)
            #expect(receive(5, sink) == "more")
            #expect(await sink.ending(isComplete: true) == "failed output: the disk is full")
            #expect(body.calls.events == [.append(5), .drop])
        }
    }

    @Test func failureToCommitIsReported() async throws {
        try await withDisk { disk in
            let body = RecordedBody(commitFailure: BatchFailure(.output, "no such folder"))
            let sink = DiskSink(body, disk: disk)
            #expect(receive(5, sink) == "more")
            #expect(await sink.ending(isComplete: true) == "failed output: no such folder")
        }
    }

    @Test func incompleteBodyIsDroppedWithoutAWrite() async throws {
        try await withDisk { disk in
            let body = RecordedBody()
            let sink = DiskSink(body, disk: disk)
            #expect(receive(100, sink) == "more")
            #expect(await sink.ending(isComplete: false) == "dropped")
            #expect(body.calls.events == [.drop])
        }
    }

    @Test func endDuringAWriteFollowsIt() async throws {
        try await withDisk { disk in
            let body = RecordedBody(isBlocked: true)
            let sink = DiskSink(body, disk: disk)
            #expect(receive(Self.piece, sink) == "more")
            _ = try await body.calls.wait(count: 1)
            #expect(receive(9, sink) == "more")
            let end = Watched<String?>(nil)
            sink.finish(isComplete: true) { last in end.update { $0 = last.summary } }
            #expect(end.read { $0 } == nil)
            body.firstAppend.open()
            #expect(try await end.wait { $0 } == "file recorded")
            #expect(body.calls.events == [.append(Self.piece), .append(9), .commit])
        }
    }

    @Test func onlyAResumableBodyIsSuspended() async throws {
        try await withDisk { disk in
            let plain = RecordedBody()
            let resumable = RecordedResumableBody()
            for (body, expected) in [(plain, "dropped"), (resumable, "existing suspended")] {
                let sink = DiskSink(body, disk: disk)
                #expect(receive(3, sink) == "more")
                let end = Watched<String?>(nil)
                sink.suspend { last in end.update { $0 = last.summary } }
                let summary = try await end.wait { $0 }
                #expect(summary == expected)
            }
            #expect(plain.calls.events == [.drop])
            #expect(resumable.calls.events == [.append(3), .suspend])
            let sinks = [plain, resumable].map { DiskSink($0, disk: disk) }
            #expect(sinks.map(\.isPartial) == [false, true])
            #expect(sinks.map(\.limit) == [nil, 7])
        }
    }

    @Test(arguments: [true, false])
    func resumableBodyGetsTheVerifier(isChecked: Bool) async throws {
        try await withDisk { disk in
            let body = RecordedResumableBody()
            let sink = DiskSink(body, disk: disk)
            let verifier = isChecked ? BodyVerifier(computing: [.md5], expecting: []) : nil
            let end = Watched<String?>(nil)
            sink.finish(checking: verifier) { last in end.update { $0 = last.summary } }
            let summary = try await end.wait { $0 }
            #expect(summary == "file resumed")
            #expect(body.calls.events == [.commitChecking(isChecked)])
        }
    }

    @Test func piecesOfAnySizeMakeTheWholeFile() async throws {
        let folder = try TemporaryDirectory()
        var generator = SeededGenerator(seed: 7)
        let bytes = [UInt8](count: 500_000) { _ in UInt8.random(in: 0...255, using: &generator) }
        try await withDisk { disk in
            let placement = FilePlacement(
                folder: folder.path,
                name: FileName("a/x", url: "http://h/"),
                existing: .overwrite,
                claim: nil,
                taken: nil
            )
            let sink = DiskSink(NamedFile(placement), disk: disk)
            var start = 0
            while start < bytes.count {
                let count = min(Int.random(in: 0...40_000, using: &generator), bytes.count - start)
                _ = sink.receive(bytes[start..<(start + count)].span, flow: flow)
                start += count
            }
            #expect(await sink.ending(isComplete: true) == "file a/x")
        }
        #expect(try TemporaryDirectory.files(in: folder.path) == ["a/x"])
        #expect(try folder.read("a/x") == bytes)
    }
}
