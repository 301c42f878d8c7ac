internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Clients that wait for a job get its result, whatever the disk does and whenever they ask.
@Suite(.timeLimit(.minutes(10))) struct JournalAudienceTests {
    private let fixture: JournalFixture
    private let content = Content.numbered(1, count: 1000)

    init() throws {
        fixture = try JournalFixture()
    }

    private func server() throws -> LoopbackServer {
        let content = content
        return try LoopbackServer { request in
            request.path == "/gone" ? .status(404) : content.reply(to: request)
        }
    }

    @Test(
        "S-02: If a job's end can't be recorded, the job fails, and resuming it repairs that",
        arguments: [true, false]
    )
    func unrecordedEndFailsTheJobUntilResumed(_ isDone: Bool) async throws {
        let server = try server()
        let core = Watched<JournalCore?>(nil)
        defer { core.update { $0 = nil } }
        let journal = try fixture.journal { configuration in
            configuration.willTakeStep = { step, _ in
                if step == .recordEnd { try? core.read { $0 }?.setReadOnly(true) }
            }
        }
        core.update { $0 = journal.core }
        let delivered = EventRecorder<TransferJob>()
        let request = try server.request(isDone ? "/" : "/gone")
        try await journal.download(request, to: fixture.file("file"), id: "a") {
            delivered.record($0)
        }
        let first = try await delivered.wait(count: 1)[0]
        #expect(first.state == .failed)
        #expect(first.failure?.message.contains("journal") == true)
        #expect(try await journal.outcome(of: "a").state == .failed)
        #expect(try await journal.job("a").state == .failed)
        // A reported end isn't reported again, and the job isn't repeated without a request.
        #expect(try await journal.restore().isEmpty)
        // While the disk can't be written, resuming throws.
        let error = await #expect(throws: TransferJournalError.self) {
            try await journal.resume("a")
        }
        #expect(error?.code == .storage)
        core.update { $0 = nil }
        try await journal.core.run { [core = journal.core] in try core.setReadOnly(false) }
        try await journal.resume("a") { delivered.record($0) }
        let end = try await journal.outcome(of: "a")
        #expect(end.state == (isDone ? .finished : .failed))
        #expect(try await delivered.wait(count: 2)[1].state == end.state)
        #expect(try await journal.job("a").state == end.state)
        // A completed file isn't loaded again.
        #expect(server.requestCount == (isDone ? 1 : 2))
        if isDone { #expect(try fixture.files.read("file") == content.bytes) }
    }

    @Test("S-02: A handler passed to `resume` is called for running and completed jobs, too")
    func resumeHandlerIsCalledForEveryState() async throws {
        let gate = Gate()
        let content = content
        let server = try LoopbackServer { content.reply(to: $0).after(gate) }
        let journal = try fixture.journal { $0.maximumConcurrentTransfers = 1 }
        let delivered = EventRecorder<String>()
        for id in ["in flight", "waiting"] {
            try await journal.download(server.request(), to: fixture.file(id), id: id) { job in
                delivered.record("first \(job.id)")
            }
            try await journal.resume(id) { delivered.record("second \($0.id)") }
        }
        gate.open()
        let expected = [
            "first in flight", "second in flight", "first waiting", "second waiting",
        ]
        #expect(try await delivered.wait(count: 4) == expected)
        try await journal.resume("waiting") { delivered.record("third \($0.state)") }
        #expect(try await delivered.wait(count: 5).last == "third finished")
        #expect(server.requestCount == 2)
    }

    @Test("S-02: A job that hasn't been restored can be resumed")
    func unrestoredJobCanBeResumed() async throws {
        let stalling = try LoopbackServer { _ in .steps([.stall]) }
        let first = try fixture.journal()
        try await first.download(stalling.request(), to: fixture.file("file"), id: "a")
        try await stalling.requests(count: 1)
        await first.close()
        let second = try fixture.journal()
        let delivered = EventRecorder<TransferJob.State>()
        try await second.resume("a") { delivered.record($0.state) }
        try await stalling.requests(count: 2)
        try await second.cancel("a")
        #expect(try await delivered.wait(count: 1) == [.cancelled])
        await second.close()
    }

    @Test("S-02: If a job's record becomes unreadable, its clients get a failure")
    func unreadableJobFailsItsClients() async throws {
        let gate = Gate()
        let content = content
        let server = try LoopbackServer { content.reply(to: $0).after(gate) }
        let journal = try fixture.journal { $0.maximumConcurrentTransfers = 1 }
        let delivered = EventRecorder<TransferJob>()
        let request = try server.request()
        try await journal.download(request, to: fixture.file("0"), id: "0")
        try await journal.download(request, to: fixture.file("1"), id: "1") { delivered.record($0) }
        try await journal.download(request, to: fixture.file("2"), id: "2")
        try await journal.core.run { [core = journal.core] in
            try core.stored {
                try $0.connection.execute("UPDATE jobs SET record = x'00' WHERE id <> '0'")
            }
        }
        gate.open()
        let job = try await delivered.wait(count: 1)[0]
        #expect((job.id, job.state) == ("1", .failed))
        #expect(job.failure?.message.isEmpty == false)
        await journal.finishEvents()
        let error = await #expect(throws: TransferJournalError.self) {
            try await journal.outcome(of: "2")
        }
        #expect(error?.code == .damagedJob)
        #expect(delivered.events.count == 1)
    }

    @Test(
        "S-02: If a job is cancelled or removed before its restoration, its waiters get the result"
    )
    func jobCancelledBeforeRestorationReportsToWaiters() async throws {
        let stalling = try LoopbackServer { _ in .steps([.stall]) }
        let first = try fixture.journal()
        for id in ["cancelled", "removed"] {
            try await first.download(stalling.request(), to: fixture.file(id), id: id)
        }
        await first.close()
        let second = try fixture.journal()
        for id in ["cancelled", "removed"] {
            let job = try await withCheckedThrowingContinuation { continuation in
                // The cancellation is enqueued after the wait.
                second.core.queue.async { second.core.wait(for: id, continuation) }
                Task {
                    if id == "removed" {
                        try await second.remove(id)
                    } else {
                        try await second.cancel(id)
                    }
                }
            }
            #expect(job.state == .cancelled)
        }
        await second.finishEvents()
        #expect(try await second.jobs().isEmpty)
        await second.close()
    }

    @Test(
        "S-02: A file that was already moved isn't loaded again and doesn't block its own name",
        arguments: [DownloadOptions(), .removePreviousFile]
    )
    func movedFileIsNotLoadedAgain(_ options: DownloadOptions) async throws {
        let server = try server()
        let (folder, away) = (fixture.file("folder"), fixture.file("away"))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let isBroken = Watched(true)
        let journal = try fixture.journal { configuration in
            // If the folder is missing, the new name can't be made durable.
            configuration.willTakeStep = { step, _ in
                guard step == .synchronizeName, isBroken.read({ $0 }) else { return }
                try? FileManager.default.moveItem(at: folder, to: away)
            }
        }
        let file = folder.appendingPathComponent("file")
        try await journal.download(server.request(), to: file, id: "a", options: options)
        let failed = try await journal.outcome(of: "a")
        #expect(failed.state == .failed)
        #expect(failed.failure?.code == Int(ENOENT))
        isBroken.update { $0 = false }
        try FileManager.default.moveItem(at: away, to: folder)
        try await journal.resume("a")
        let end = try await journal.outcome(of: "a")
        #expect(end.state == .finished, "\(end.failure?.message ?? "")")
        #expect(try fixture.files.read("folder/file") == content.bytes)
        #expect(server.requestCount == 1)
    }
}

extension JournalCore {
    /// Makes all writes to the journal fail.
    fileprivate func setReadOnly(_ isReadOnly: Bool) throws {
        try stored { try $0.connection.execute("PRAGMA query_only = \(isReadOnly ? 1 : 0)") }
    }
}
