internal import CurlTransport
internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests many concurrent requests, of one session and of many sessions.
@Suite(.timeLimit(.minutes(10))) struct OverlapTests {
    @Test(
        "A2: Many concurrent requests over HTTP/2 follow their redirects",
        .enabled(if: NginxPeer.isAvailable)
    )
    func manyRedirectsAtOnceAreFollowed() async throws {
        let nginx = try await NginxPeer.shared()
        let session = URLSession.test {
            $0.httpVersion = .http2
            $0.tlsConfiguration.trustRoots = .file(nginx.certificates.authority)
            // A cached response would have transactions of its own.
            $0.urlCache = nil
        }
        let url = try #require(URL(string: nginx.url(.https, "/redirect")))
        for _ in 0..<3 {
            try await withThrowingTaskGroup(of: SessionDelegate.self) { group in
                for _ in 0..<24 {
                    group.addTask {
                        let delegate = SessionDelegate()
                        let (data, response) = try await session.data(from: url, delegate: delegate)
                        #expect(String(decoding: data, as: UTF8.self) == "hello, world\n")
                        #expect((response as? HTTPURLResponse)?.statusCode == 200)
                        #expect(response.url?.path == "/hello.txt")
                        return delegate
                    }
                }
                for try await delegate in group {
                    // The task that opens the connection gets a challenge with the server's
                    // certificate first.
                    let expected: [SessionDelegate.Event] = [
                        .redirect(302, to: "/hello.txt"), .response(200),
                        .metrics(transactions: 2),
                    ]
                    #expect(delegate.milestones.suffix(3) == expected)
                    let transactions = delegate.metrics.flatMap(\.transactionMetrics)
                    #expect(transactions.map(\.networkProtocolName) == ["h2", "h2"])
                }
            }
        }
        session.invalidateAndCancel()
    }

    @Test("A5: Closing connections doesn't affect other open descriptors")
    func foreignDescriptorsAreNotClosed() async throws {
        // Every tenth response closes its connection, so that descriptor numbers are reused at
        // once.
        let server = try LoopbackServer { request in
            let reply = Reply.text(request.target)
            return request.target.hasSuffix("1") ? reply.closing() : reply
        }
        let session = URLSession.test { $0.httpMaximumConnectionsPerHost = 16 }
        let urls = try (0..<600).map { try server.at("/\($0)") }
        let isOver = Gate()
        async let pipes = Self.usePipes(until: isOver)
        await withTaskGroup(of: Void.self) { group in
            for url in urls {
                group.addTask {
                    let answer = try? await session.data(from: url)
                    #expect(answer.map { String(decoding: $0.0, as: UTF8.self) } == url.path)
                }
            }
        }
        isOver.open()
        #expect(try await pipes > 0)
        session.invalidateAndCancel()
    }

    /// Opens, uses and closes pipes. Returns their number; all of them must work.
    private static func usePipes(until isOver: Gate) async throws -> Int {
        var count = 0
        repeat {
            let pipes = (0..<4).map { _ in Pipe() }
            for (number, pipe) in pipes.enumerated() {
                let bytes = Data([UInt8(number), UInt8(truncatingIfNeeded: count)])
                try pipe.fileHandleForWriting.write(contentsOf: bytes)
                #expect(try pipe.fileHandleForReading.read(upToCount: 2) == bytes)
                try pipe.fileHandleForWriting.close()
                try pipe.fileHandleForReading.close()
            }
            count += pipes.count
            await Task.yield()
        } while !isOver.isOpen
        return count
    }

    @Test("A6: Overlapping requests of many sessions each complete exactly once")
    func overlappingRequestsAllEndOnce() async throws {
        let server = try LoopbackServer { request in
            request.target == "/slow" ? .text("slow").after(.milliseconds(2)) : .text("fast")
        }
        let urls = [try server.at("/slow"), try server.at("/fast")]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<12 {
                group.addTask { try await Self.load(50, urls) }
            }
            try await group.waitForAll()
        }
    }

    /// Starts `count` tasks of one session at once, and cancels every fifth of them.
    private static func load(_ count: Int, _ urls: [URL]) async throws {
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        let tasks = (0..<count).map { session.dataTask(with: urls[$0 % urls.count]) }
        for task in tasks { task.resume() }
        for task in tasks where task.taskIdentifier.isMultiple(of: 5) { task.cancel() }
        try await delegate.completion(count)
        session.finishTasksAndInvalidate()
        // The last event of a session.
        try await delegate.event(.invalid)
        let codes = delegate.events.compactMap { event -> Int?? in
            if case .completed(let code) = event { .some(code) } else { nil }
        }
        #expect(codes.count == count)
        #expect(codes.allSatisfy { $0 == nil || $0 == URLError.Code.cancelled.rawValue })
        #expect(tasks.allSatisfy { $0.state == .completed })
    }

    @Test("A6: A thousand concurrent requests of one session all get their responses")
    func aThousandRequestsOfOneSessionAreAnswered() async throws {
        let server = try LoopbackServer { .text($0.target) }
        let session = URLSession.test { $0.httpMaximumConnectionsPerHost = 100 }
        let urls = try (0..<1_000).map { try server.at("/\($0)") }
        await withTaskGroup(of: Bool.self) { group in
            for url in urls {
                group.addTask {
                    let answer = try? await session.data(from: url)
                    return answer.map { String(decoding: $0.0, as: UTF8.self) } == url.path
                }
            }
            for await isRight in group { #expect(isRight) }
        }
        #expect(server.requestCount == 1_000)
        session.invalidateAndCancel()
    }
}
