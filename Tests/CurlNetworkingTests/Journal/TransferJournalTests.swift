internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

@Suite(.timeLimit(.minutes(10))) struct TransferJournalTests {
    private let fixture: JournalFixture

    init() throws {
        fixture = try JournalFixture()
    }

    @Test("S-02: A finished download is reported and stays in the list")
    func finishedDownloadIsReportedAndListed() async throws {
        let content = Content.numbered(1, count: 3 << 20)
        let server = try LoopbackServer { content.reply(to: $0) }
        let journal = try fixture.journal()
        let delivered = EventRecorder<TransferJob>()
        let file = fixture.file("file")
        let added = try await journal.download(server.request(), to: file, id: "one") {
            delivered.record($0)
        }
        #expect(added.state == .waiting)
        #expect(added.file == file)
        let job = try await delivered.wait(count: 1)[0]
        #expect(job.state == .finished)
        #expect(job.failure == nil)
        #expect(job.bytes == content.bytes.count)
        #expect(job.entityTag == "\"a\"")
        #expect((job.attempts, job.statusCode) == (1, 200))
        await journal.finishEvents()
        #expect(try await journal.jobs().map(\.id) == ["one"])
        #expect(try await journal.job("one").state == .finished)
        #expect(try await journal.outcome(of: "one").state == .finished)
        #expect(try fixture.files.contents() == ["file"])
        #expect(try fixture.files.read("file") == content.bytes)
        #expect(delivered.events.count == 1)
        // Ranges can't be requested of encoded content.
        #expect(try await server.request(0).header("Accept-Encoding") == "identity")
    }

    @Test("S-02: An empty body creates an empty file")
    func anEmptyBodyIsAFile() async throws {
        let server = try LoopbackServer { _ in Reply(204) }
        let journal = try fixture.journal()
        let job = try await journal.download(server.request(), to: fixture.file("file"))
        #expect(try await journal.outcome(of: job.id).state == .finished)
        #expect(try fixture.files.read("file") == [])
    }

    @Test("S-02: Ids of jobs are unique")
    func jobIDsAreUnique() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let journal = try fixture.journal()
        let request = try server.request()
        let file = fixture.file("file")
        try await journal.download(request, to: file, id: "a")
        let error = await #expect(throws: TransferJournalError.self) {
            try await journal.upload(request, fromFile: file, id: "a")
        }
        #expect(error?.code == .jobExists)
        let ids = Set(
            [
                try await journal.upload(request, fromFile: file).id,
                try await journal.upload(request, fromFile: file).id, "a",
            ]
        )
        #expect(ids.count == 3)
        let missing = await #expect(throws: TransferJournalError.self) {
            try await journal.job("b")
        }
        #expect(missing?.code == .noSuchJob)
    }

    @Test("S-02: Requests that can't be repeated, and unusable destinations, are rejected")
    func unrepeatableRequestsAreRejected() async throws {
        let journal = try fixture.journal()
        let url = try #require(URL(string: "http://127.0.0.1/"))
        var post = URLRequest(url: url)
        post.httpMethod = "POST"
        var part = URLRequest(url: url)
        part.setValue("bytes=1-", forHTTPHeaderField: "Range")
        let ftp = URLRequest(url: try #require(URL(string: "ftp://h/")))
        for request in [post, part, ftp] {
            let error = await #expect(throws: TransferJournalError.self) {
                try await journal.download(request, to: fixture.file("file"))
            }
            #expect(error?.code == .invalidRequest)
        }
        try fixture.files.write("mine", to: "there")
        for name in ["there", "no/folder", "there/file"] {
            let error = await #expect(throws: TransferJournalError.self) {
                try await journal.download(URLRequest(url: url), to: fixture.file(name))
            }
            #expect(error?.code == .invalidDestination, "\(name)")
        }
        #expect(try await journal.jobs().isEmpty)
        #expect(try fixture.files.contents() == ["there"])
    }

    @Test("S-02: Options replace an existing file and create folders")
    func optionsReplaceFilesAndCreateFolders() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let journal = try fixture.journal()
        try fixture.files.write("old", to: "there")
        for (name, options) in [
            ("there", DownloadOptions.removePreviousFile),
            ("new/folder/file", .createIntermediateDirectories),
        ] {
            let file = fixture.file(name)
            try await journal.download(server.request(), to: file, id: name, options: options)
            #expect(try await journal.outcome(of: name).state == .finished)
            #expect(try fixture.files.read(name) == Array("hello".utf8))
        }
    }

    @Test("S-02: A file created meanwhile isn't replaced, and the body isn't loaded again")
    func fileCreatedMeanwhileIsNotReplaced() async throws {
        let gate = Gate()
        let content = Content.numbered(1, count: 1000)
        let server = try LoopbackServer { content.reply(to: $0).after(gate) }
        let journal = try fixture.journal()
        try await journal.download(server.request(), to: fixture.file("file"), id: "a")
        try await server.requests(count: 1)
        try fixture.files.write("mine", to: "file")
        gate.open()
        let failed = try await journal.outcome(of: "a")
        #expect(failed.state == .failed)
        #expect(failed.failure?.message.contains("File exists") == true)
        #expect(try fixture.files.read("file") == Array("mine".utf8))
        try FileManager.default.removeItem(at: fixture.file("file"))
        try await journal.resume("a")
        #expect(try await journal.outcome(of: "a").state == .finished)
        #expect(try fixture.files.read("file") == content.bytes)
        #expect(try fixture.files.contents() == ["file"])
        #expect(server.requestCount == 1)
    }

    @Test("S-02: A cancelled job leaves no file and no record")
    func aCancelledJobLeavesNothing() async throws {
        let content = Content.numbered(1, count: 1000)
        let server = try LoopbackServer { _ in content.broken(after: 500, then: [.stall]) }
        let journal = try fixture.journal()
        let delivered = EventRecorder<TransferJob.State>()
        try await journal.download(server.request(), to: fixture.file("file"), id: "a") {
            delivered.record($0.state)
        }
        try await server.requests(count: 1)
        try await journal.cancel("a")
        await journal.finishEvents()
        #expect(delivered.events == [.cancelled])
        #expect(try await journal.jobs().isEmpty)
        #expect(try fixture.files.contents().isEmpty)
        try await server.openConnections(0)
        // The id can be used again.
        try await journal.download(server.request(), to: fixture.file("file"), id: "a")
    }

    @Test("S-02: The number of concurrent transfers is limited")
    func concurrentTransfersAreLimited() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("hello").after(gate) }
        let begun = EventRecorder<String>()
        let journal = try fixture.journal { configuration in
            configuration.maximumConcurrentTransfers = 2
            configuration.willTakeStep = { step, id in
                if step == .recordAttempt { begun.record("begins \(id)") }
                if step == .recordEnd { begun.record("ends \(id)") }
            }
        }
        for index in 0..<6 {
            try await journal.download(
                server.request(),
                to: fixture.file("\(index)"),
                id: "\(index)"
            )
        }
        try await server.requests(count: 2)
        #expect(server.requestCount == 2)
        gate.open()
        await journal.finishEvents()
        var (now, most) = (0, 0)
        for event in begun.events {
            now += event.hasPrefix("begins") ? 1 : -1
            most = max(most, now)
        }
        #expect((now, most) == (0, 2), "\(begun.events)")
        #expect(server.requestCount == 6)
        #expect(try fixture.files.contents().count == 6)
    }

    @Test("Q-13: The handler for finished events is called once, after the jobs' handlers")
    func finishHandlerIsCalledOnceAfterAllJobs() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let journal = try fixture.journal(manager)
        let events = EventRecorder<String>()
        let queue = manager.completionQueue
        journal.setDidFinishEvents {
            if let queue { dispatchPrecondition(condition: .onQueue(queue)) }
            events.record("finished")
        }
        try await journal.restore()
        #expect(try await events.wait(count: 1) == ["finished"])
        for (index, count) in [(0, 3), (1, 5)] {
            try await journal.download(server.request(), to: fixture.file("\(index)")) { _ in
                if let queue { dispatchPrecondition(condition: .onQueue(queue)) }
                events.record("job")
            }
            #expect(try await events.wait(count: count).suffix(2) == ["job", "finished"])
        }
        await journal.finishEvents()
        #expect(events.events.count == 5)
    }

    @Test("S-02: Finished jobs stay until they are removed, and removal shrinks the database")
    func finishedJobsAreRemoved() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let journal = try fixture.journal()
        for index in 0..<50 {
            try await journal.download(server.request(), to: fixture.file("\(index)")) { _ in }
        }
        await journal.finishEvents()
        #expect(try await journal.jobs().count == 50)
        let database = fixture.journalFolder.appendingPathComponent("journal.db")
        try await journal.removeFinishedJobs()
        #expect(try await journal.jobs().isEmpty)
        let values = try FileManager.default.attributesOfItem(atPath: database.path)
        #expect((values[.size] as? Int ?? .max) <= 6 * 4096)
        #expect(try fixture.files.contents().count == 50)
    }

    @Test("S-02: Calls to a closed journal throw, and waiting calls end")
    func closedJournalThrows() async throws {
        let server = try LoopbackServer { _ in .steps([.stall]) }
        let journal = try fixture.journal()
        try await journal.download(server.request(), to: fixture.file("file"), id: "a")
        let outcome = Task { try await journal.outcome(of: "a") }
        try await server.requests(count: 1)
        await journal.close()
        for body in [
            { _ = try await outcome.value }, { _ = try await journal.jobs() },
            { try await journal.cancel("a") },
        ] as [() async throws -> Void] {
            let error = await #expect(throws: TransferJournalError.self) { try await body() }
            #expect(error?.code == .closed)
        }
        await journal.finishEvents()
        await journal.close()
    }
}
