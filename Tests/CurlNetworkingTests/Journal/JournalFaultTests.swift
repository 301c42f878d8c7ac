internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Faults of the disk, of servers and of the program's own handlers lose nothing.
@Suite(.timeLimit(.minutes(10))) struct JournalFaultTests {
    private let fixture: JournalFixture
    private let content = Content.numbered(1, count: 1000)

    init() throws {
        fixture = try JournalFixture()
    }

    @Test("S-02: If bytes can't be synchronized to disk, they don't count")
    func unsynchronizedBytesDoNotCount() async throws {
        let content = content
        let recorded = Gate()
        let server = try LoopbackServer { request in
            guard content.offset(asked: request) == nil else { return content.reply(to: request) }
            let rest = [UInt8](content.bytes[600...])
            return content.broken(after: 600, then: [.waitFor(recorded), .send(rest)])
        }
        let count = Watched(0)
        let journal = try fixture.journal { configuration in
            configuration.durableInterval = 600
            configuration.willTakeStep = { step, _ in
                if step == .recordBytes { recorded.open() }
            }
            // Twice for an empty file, then for 600 bytes, and then for all.
            configuration.synchronizationFailure = {
                let number = count.update { count in
                    count += 1
                    return count
                }
                return number == 4 ? EIO : 0
            }
        }
        let part = try await journal.download(
            server.request(),
            to: fixture.file("file"),
            id: "a"
        ).partFile
        let failed = try await journal.outcome(of: "a")
        #expect((failed.state, failed.bytes) == (.failed, 600))
        #expect(failed.failure?.code == Int(EIO))
        #expect(failed.boot.isEmpty)
        let path = try #require(part).path
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int == 600)
        try await journal.resume("a")
        #expect(try await journal.outcome(of: "a").state == .finished)
        #expect(server.requests.map { $0.header("Range") } == [nil, "bytes=600-"])
        #expect(try fixture.files.read("file") == content.bytes)
    }

    @Test("S-02: Jobs that fail at their start don't start each other recursively")
    func jobsThatFailAtStartDoNotRecurse() async throws {
        let server = try LoopbackServer { _ in .steps([.stall]) }
        let volume = fixture.file("volume")
        try FileManager.default.createDirectory(at: volume, withIntermediateDirectories: true)
        let first = try fixture.journal { $0.maximumConcurrentTransfers = 1 }
        for index in 0..<30 {
            let file = volume.appendingPathComponent("\(index)")
            try await first.download(server.request(), to: file)
        }
        await first.close()
        try FileManager.default.removeItem(at: volume)
        let depths = EventRecorder<Int>()
        let second = try fixture.journal { configuration in
            configuration.maximumConcurrentTransfers = 1
            configuration.willTakeStep = { step, _ in
                if step == .openPart { depths.record(Thread.callStackReturnAddresses.count) }
            }
        }
        try await second.restore()
        await second.finishEvents()
        #expect(try await second.jobs().map(\.state) == Array(repeating: .failed, count: 30))
        let all = depths.events
        #expect(all.count == 30)
        #expect((all.max() ?? 0) - (all.min() ?? 0) < 8, "\(all)")
    }

    @Test("S-02: A job that is resumed before its handler was called stays unfinished")
    func jobResumedBeforeItsHandlerStaysUnfinished() async throws {
        let isGone = Watched(true)
        let server = try LoopbackServer { _ in
            isGone.read { $0 } ? .status(404) : .steps([.stall])
        }
        let manager = URLSessionManager.test()
        let queue = DispatchQueue(label: "busy")
        manager.completionQueue = queue
        let journal = try fixture.journal(manager)
        queue.suspend()
        try await journal.download(server.request(), to: fixture.file("file"), id: "a") { _ in }
        #expect(try await journal.outcome(of: "a").state == .failed)
        isGone.update { $0 = false }
        try await journal.resume("a")
        try await server.requests(count: 2)
        queue.resume()
        // This runs after the handler.
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume() }
        }
        await journal.close()
        let next = try fixture.journal()
        #expect(try await next.job("a").state == .waiting)
        #expect(try await next.restore().map(\.id) == ["a"])
        await next.close()
    }

    @Test("S-02: If a job can't be removed from the journal, it continues")
    func jobThatCannotBeRemovedContinues() async throws {
        let content = content
        let gate = Gate()
        let server = try LoopbackServer { _ in
            let rest = [UInt8](content.bytes[600...])
            return content.broken(after: 600, then: [.waitFor(gate), .send(rest)])
        }
        let journal = try fixture.journal { $0.maximumConcurrentTransfers = 1 }
        let part = try await journal.download(
            server.request(),
            to: fixture.file("file"),
            id: "a"
        ).partFile
        let path = try #require(part).path
        try await journal.size(of: path, atLeast: 600)
        let core = journal.core
        func setReadOnly(_ number: Int) async throws {
            try await core.run {
                try core.stored { try $0.connection.execute("PRAGMA query_only = \(number)") }
            }
        }
        try await setReadOnly(1)
        let error = await #expect(throws: TransferJournalError.self) {
            try await journal.cancel("a")
        }
        #expect(error?.code == .storage)
        try await setReadOnly(0)
        try #require(FileManager.default.fileExists(atPath: path))
        gate.open()
        #expect(try await journal.outcome(of: "a").state == .finished)
        #expect(try fixture.files.read("file") == content.bytes)
        #expect(server.requestCount == 1)
    }

    @Test("S-02: A download that breaks off repeatedly at the same offset fails")
    func downloadWithoutProgressFailsInTheEnd() async throws {
        var plain = content
        plain.tag = nil
        let written = Gate()
        let count = Watched(0)
        let server = try LoopbackServer { [plain] _ in
            let number = count.update { count in
                count += 1
                return count
            }
            guard number <= 10 else { return .status(404) }
            return plain.broken(after: 500, then: [.waitFor(written), .reset])
        }
        let journal = try fixture.journal { configuration in
            configuration.maximumAttempts = 3
            configuration.willTakeStep = { step, _ in
                if step == .writeBytes { written.open() }
            }
        }
        try await journal.download(server.request(), to: fixture.file("file"), id: "a")
        let job = try await journal.outcome(of: "a")
        #expect((job.state, job.attempts) == (.failed, 3))
        #expect(server.requestCount == 3)
    }

    @Test("S-02: The retry delay obeys `Retry-After`, in seconds or as a date")
    func retryDelayObeysRetryAfter() throws {
        var configuration = TransferJournalConfiguration()
        #expect(configuration.delay(afterFailures: 1, retryAfter: nil) == 1)
        #expect(configuration.delay(afterFailures: 3, retryAfter: 2) == 4)
        #expect(configuration.delay(afterFailures: 30, retryAfter: nil) == 60)
        #expect(configuration.delay(afterFailures: 1, retryAfter: 1800) == 1800)
        #expect(configuration.delay(afterFailures: 1, retryAfter: .infinity) == 3600)
        configuration.maximumRetryAfter = 10
        #expect(configuration.delay(afterFailures: 1, retryAfter: 1800) == 10)
        let url = try #require(URL(string: "http://h/"))
        for (value, range) in [
            ("120", 120.0...120), ("Fri, 31 Dec 9999 23:59:59 GMT", 1e9...1e12),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 0...0),
        ] {
            let response = HTTPURLResponse(
                url: url,
                statusCode: 503,
                httpVersion: nil,
                headerFields: ["Retry-After": value]
            )
            let delay = ResponseFacts(try #require(response)).retryAfter
            #expect(range.contains(try #require(delay)), "\(value)")
        }
    }
}
