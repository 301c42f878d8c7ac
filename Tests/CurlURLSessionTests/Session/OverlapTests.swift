internal import CurlTransport
internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Many requests at once, of one session and of many.
@Suite(.timeLimit(.minutes(10))) struct OverlapTests {
    @Test(
        "A2: Many redirects at once over HTTP/2 are followed",
        .enabled(if: NginxPeer.isAvailable)
    )
    func manyRedirectsAtOnceAreFollowed() async throws {
        let nginx = try await NginxPeer.shared()
        let session = URLSession.test {
            $0.httpVersion = .http2
            $0.tlsConfiguration.trustRoots = .file(nginx.certificates.authority)
            // What is answered from there has transactions of its own.
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
                    // Whose connection it is is asked about the server's certificate before.
                    let expected: [SessionDelegate.Event] = [
                        .redirect(302, to: "/hello.txt"), .metrics(transactions: 2),
                    ]
                    #expect(delegate.events.suffix(2) == expected)
                    let transactions = delegate.metrics.flatMap(\.transactionMetrics)
                    #expect(transactions.map(\.networkProtocolName) == ["h2", "h2"])
                }
            }
        }
        session.invalidateAndCancel()
    }

    @Test("A5: Connections that end leave the descriptors of others alone")
    func descriptorsOfOthersAreLeftAlone() async throws {
        // Every other connection ends with its response, so that numbers are used again at once.
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

    /// Opens, uses and closes pipes; how many there were, all of which worked.
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

    @Test("A6: Overlapping requests of many sessions all end, once")
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

    /// So many tasks of one session at once, of which every fifth is cancelled.
    private static func load(_ count: Int, _ urls: [URL]) async throws {
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        let tasks = (0..<count).map { session.dataTask(with: urls[$0 % urls.count]) }
        for task in tasks { task.resume() }
        for task in tasks where task.taskIdentifier.isMultiple(of: 5) { task.cancel() }
        try await delegate.completion(count)
        session.finishTasksAndInvalidate()
        // The last thing that a session tells.
        try await delegate.event(.invalid)
        let codes = delegate.events.compactMap { event -> Int?? in
            if case .completed(let code) = event { .some(code) } else { nil }
        }
        #expect(codes.count == count)
        #expect(codes.allSatisfy { $0 == nil || $0 == URLError.Code.cancelled.rawValue })
        #expect(tasks.allSatisfy { $0.state == .completed })
    }

    @Test("A6: A thousand requests of one session are all answered")
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
