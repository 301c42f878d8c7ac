internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

@Suite(.timeLimit(.minutes(10))) struct JournalRestoringTests {
    private let fixture: JournalFixture

    init() throws {
        fixture = try JournalFixture()
    }

    @Test("S-02: After a restart, a job resumes and calls the handler attached by its name")
    func jobsResumeAfterRestartAndCallTheirHandlers() async throws {
        let content = Content.numbered(1, count: 1000)
        let isSecond = Watched(false)
        let server = try LoopbackServer { request in
            if isSecond.read({ $0 }) { return content.reply(to: request) }
            return content.broken(after: 600, then: [.stall])
        }
        let first = try fixture.journal()
        let part = try await first.download(
            server.request(),
            to: fixture.file("file"),
            id: "a"
        ).partFile
        try await server.sent(600)
        let path = try #require(part).path
        // No event reports the bytes before the end; the size of the file shows them.
        try await first.size(of: path, atLeast: 600)
        await first.close()
        isSecond.update { $0 = true }
        let second = try fixture.journal()
        #expect(try await second.job("a").bytes == 600)
        #expect(server.requestCount == 1)
        let delivered = EventRecorder<String>()
        let jobs = try await second.restore { restored in
            { delivered.record("\(restored.id) \($0.id) \($0.state)") }
        }
        #expect(jobs.map(\.id) == ["a"])
        await second.finishEvents()
        #expect(delivered.events == ["a a finished"])
        #expect(server.requests[1].header("Range") == "bytes=600-")
        #expect(try fixture.files.read("file") == content.bytes)
        // A reported end isn't reported again, and a finished job isn't repeated.
        await second.close()
        let third = try fixture.journal()
        #expect(try await third.restore().isEmpty)
        await third.finishEvents()
        #expect(try await third.jobs().map(\.state) == [.finished])
        #expect(server.requestCount == 2)
    }

    @Test("S-02, Q-13: A job that ended without a handler is reported after a restart")
    func jobThatEndedWithoutHandlerIsReportedAfterRestart() async throws {
        let server = try LoopbackServer { request in
            request.path == "/bad" ? .status(404) : .text("hello")
        }
        let first = try fixture.journal()
        for name in ["good", "bad"] {
            let request = try server.request("/" + name)
            try await first.download(request, to: fixture.file(name), id: name)
        }
        await first.finishEvents()
        await first.close()
        let second = try fixture.journal()
        let events = EventRecorder<String>()
        second.setDidFinishEvents { events.record("over") }
        try await second.restore { _ in { events.record("\($0.id) \($0.state)") } }
        #expect(try await events.wait(count: 3) == ["good finished", "bad failed", "over"])
        await second.close()
        let third = try fixture.journal()
        #expect(try await third.restore().isEmpty)
        #expect(server.requestCount == 2)
    }

    @Test("S-02: After a restart, an upload is sent again in full")
    func uploadIsSentInFullAfterRestart() async throws {
        let isSecond = Watched(false)
        let server = try LoopbackServer { request in
            isSecond.read { $0 } ? Reply(201, body: .bytes(request.body)) : .steps([.stall])
        }
        let file = URL(fileURLWithPath: try fixture.files.write("content", to: "source"))
        let first = try fixture.journal()
        var request = try server.request("/", method: "PUT")
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        try await first.upload(request, fromFile: file, id: "up")
        _ = try await server.request(0)
        await first.close()
        isSecond.update { $0 = true }
        let second = try fixture.journal()
        try await second.restore()
        let job = try await second.outcome(of: "up")
        #expect((job.kind, job.state, job.statusCode) == (.upload, .finished, 201))
        #expect(job.responseData == Data("content".utf8))
        #expect(job.attempts == 2)
        let sent = server.requests
        #expect(sent.map(\.method) == ["PUT", "PUT"])
        #expect(sent.map(\.bodyText) == ["content", "content"])
        #expect(sent.map { $0.header("Content-Type") } == ["text/plain", "text/plain"])
    }

    @Test("S-02: A rejected upload reports the reason, and an upload without its file fails")
    func rejectedUploadReportsTheReason() async throws {
        let server = try LoopbackServer { _ in .text("too big", status: 413) }
        let file = URL(fileURLWithPath: try fixture.files.write("content", to: "source"))
        let journal = try fixture.journal()
        let request = try server.request("/", method: "POST")
        try await journal.upload(request, fromFile: file, id: "a")
        let job = try await journal.outcome(of: "a")
        #expect((job.state, job.failure?.code) == (.failed, 413))
        #expect(job.responseData == Data("too big".utf8))
        try await journal.upload(request, fromFile: fixture.file("none"), id: "b")
        let other = try await journal.outcome(of: "b")
        #expect((other.state, other.failure?.domain) == (.failed, NSURLErrorDomain))
        #expect(server.requestCount == 1)
    }

    @Test("S-02: Secrets aren't stored and are supplied again after a restart")
    func secretsAreNotStored() async throws {
        let server = try LoopbackServer { request in
            request.header("Authorization") == nil ? .status(401) : .steps([.stall])
        }
        let manager = HTTPSessionManager.forTest(server.url)
        let first = try fixture.journal(manager) { $0.omittedHeaderFields.insert("x-key") }
        var request = URLRequest(
            url: try #require(URL(string: "http://me:s3cret@127.0.0.1:\(server.port)/"))
        )
        for (name, value) in [
            ("authorization", "Bearer s3cret"), ("Cookie", "c=s3cret"), ("X-Key", "s3cret"),
            ("X-Other", "kept"),
        ] { request.setValue(value, forHTTPHeaderField: name) }
        let job = try await first.download(request, to: fixture.file("file"), id: "a")
        #expect(job.httpHeaderFields == ["X-Other": "kept"])
        #expect(
            job.omittedHeaderFields.map { $0.lowercased() }
                == ["authorization", "cookie", "x-key"].sorted()
        )
        #expect(job.url.absoluteString == server.url + "/")
        // This process still has them in memory.
        let sent = try await server.request(0)
        #expect(sent.header("Authorization") == "Bearer s3cret")
        #expect(sent.header("X-Key") == "s3cret")
        await first.close()
        for name in try FileManager.default.contentsOfDirectory(atPath: fixture.journalFolder.path)
        {
            let url = fixture.journalFolder.appendingPathComponent(name)
            #expect(try !Data(contentsOf: url).contains("s3cret"), "\(name)")
            let mode = try FileManager.default.attributesOfItem(atPath: url.path)
            #expect(mode[.posixPermissions] as? Int == 0o600, "\(name)")
        }
        manager.requestSerializer.setValue("Bearer new", forHTTPHeaderField: "Authorization")
        let second = try fixture.journal(manager) { configuration in
            configuration.requestPreparation = { request, job in
                var request = request
                request.setValue("key of \(job.id)", forHTTPHeaderField: "X-Key")
                return request
            }
        }
        try await second.restore()
        let again = try await server.request(1)
        #expect(again.header("Authorization") == "Bearer new")
        #expect(again.header("X-Key") == "key of a")
        #expect(again.header("X-Other") == "kept")
        #expect(again.header("Cookie") == nil)
        await second.close()
    }

    @Test("S-02: If the preparation of a request throws, the job fails")
    func failedRequestPreparationFailsTheJob() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let journal = try fixture.journal { configuration in
            configuration.requestPreparation = { _, _ in throw Refusal(status: 1) }
        }
        try await journal.download(server.request(), to: fixture.file("file"), id: "a")
        #expect(try await journal.outcome(of: "a").state == .failed)
        #expect(server.requestCount == 0)
    }
}

extension Data {
    fileprivate func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}
