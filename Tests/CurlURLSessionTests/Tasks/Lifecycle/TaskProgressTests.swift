internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlURLSession

@Suite(.timeLimit(.minutes(10))) struct TaskProgressTests {
    @Test func expectedBytesAreKnownOrUnknown() {
        var counts = ByteCounts()
        #expect(counts.expected == -1)
        counts.expectedToReceive = 5
        #expect(counts.expected == 5)
        counts.expectedToSend = 3
        #expect(counts.expected == 8)
        counts.expectedToReceive = -1
        #expect(counts.expected == -1)
        counts.expectedToReceive = .max - 3
        #expect(counts.expected == .max)
        counts.expectedToReceive = .max
        #expect(counts.expected == -1)
    }

    @Test("A11: The largest possible Content-Length doesn't crash", arguments: ["GET", "POST"])
    func noAnnouncedLengthTraps(_ method: String) async throws {
        let server = try LoopbackServer.scripted([
            .readHead, .readBody,
            .send("HTTP/1.1 200 OK\r\nContent-Length: \(Int64.max)\r\n\r\nhello"), .stall,
        ])
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        var request = URLRequest(url: try server.at("/"))
        request.httpMethod = method
        if method == "POST" { request.httpBody = Data([1]) }
        let task = session.dataTask(with: request)
        let parent = Progress.discreteProgress(totalUnitCount: 10)
        parent.addChild(task.progress, withPendingUnitCount: 10)
        task.resume()
        try await delegate.bytes(5)
        #expect(task.countOfBytesExpectedToReceive == .max)
        task.cancel()
        #expect(try await delegate.failure().code == .cancelled)
        #expect(task.progress.completedUnitCount == (method == "POST" ? 6 : 5))
        #expect(parent.completedUnitCount == 10)
        session.invalidateAndCancel()
    }

    @Test(.enabled(if: Compression.isAvailable))
    func compressedContentIsCountedAsReceived() async throws {
        let gate = Gate()
        let text = Compression.text(400_000)
        let packed = try await Compression.compressed(text, "gzip")
        let half = packed.count / 2
        let head =
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n"
        let server = try LoopbackServer.scripted([
            .readHead, .send(head), .send(Array(packed[..<half])), .waitFor(gate),
            .send(Array(packed[half...])), .readUntilClosed,
        ])
        let counts = Watched<[Int64]>([])
        let delegate = SessionDelegate { answers in
            answers.act = { _, task in
                let count = task?.countOfEncodedBytesReceived ?? 0
                counts.update { $0.append(count) }
            }
        }
        let session = URLSession.test(delegate: delegate)
        let task = session.dataTask(with: try server.at("/"))
        #expect(task.countOfEncodedBytesExpectedToReceive == 0)
        task.resume()
        // The encoded count is known when the decoded bytes are delivered.
        try await counts.wait { $0.last == Int64(half) ? () : nil }
        #expect(task.countOfEncodedBytesExpectedToReceive == packed.count)
        #expect(task.countOfBytesExpectedToReceive == -1)
        gate.open()
        try await delegate.completion()
        #expect(counts.read { $0 == $0.sorted() })
        #expect(task.countOfEncodedBytesReceived == packed.count)
        #expect(task.countOfBytesReceived == text.count)
        session.invalidateAndCancel()
    }

    @Test("Given the content coding identity, the length of the body is known")
    func lengthOfPlainContentIsKnown() async throws {
        let server = try LoopbackServer { _ in
            Reply(
                200,
                headers: [("Content-Encoding", "identity")],
                body: .bytes(Array("hello".utf8))
            )
        }
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.dataTask(with: try server.at("/"))
        task.resume()
        try await delegate.completion()
        #expect(task.response?.expectedContentLength == 5)
        #expect(task.countOfBytesExpectedToReceive == 5)
        #expect(task.countOfEncodedBytesExpectedToReceive == 5)
        session.invalidateAndCancel()
    }

    @Test func uncompressedContentIsCountedAsReceived() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.dataTask(with: try server.at("/"))
        task.resume()
        try await delegate.completion()
        #expect(task.countOfEncodedBytesReceived == 5)
        #expect(task.countOfEncodedBytesExpectedToReceive == 5)
        session.invalidateAndCancel()
    }

    @Test func progressHasItsOwnersParent() throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let session = URLSession.test()
        let task = session.dataTask(with: url)
        let parent = Progress.discreteProgress(totalUnitCount: 10)
        parent.becomeCurrent(withPendingUnitCount: 4)
        let progress = task.progress
        parent.resignCurrent()
        // Without a child, the pending units are complete by then.
        #expect(parent.completedUnitCount == 4)
        parent.addChild(progress, withPendingUnitCount: 6)
        session.invalidateAndCancel()
    }

    @Test func tasksOfManySessionsShareAParent() async throws {
        let server = try LoopbackServer { _ in .bytes([UInt8](repeating: 1, count: 30_000)) }
        let url = try server.at("/")
        let sessions = (0..<4).map { _ in URLSession.test() }
        let completions = Watched(0)
        let count = 200
        let parent = Progress.discreteProgress(totalUnitCount: Int64(count))
        let tasks = (0..<count).map { number in
            sessions[number % 4].dataTask(with: url) { _, _, _ in completions.update { $0 += 1 } }
        }
        for task in tasks { parent.addChild(task.progress, withPendingUnitCount: 1) }
        for task in tasks { task.resume() }
        try await completions.wait { $0 == count ? () : nil }
        #expect(parent.completedUnitCount == Int64(count))
        #expect(parent.isFinished)
        for session in sessions { session.invalidateAndCancel() }
    }
}
