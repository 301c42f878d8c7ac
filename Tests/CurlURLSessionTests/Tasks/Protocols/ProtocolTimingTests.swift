import CurlURLSession
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

/// A mock that answers later, from a queue of its own, unless it was stopped.
private final class DelayedMock: URLProtocol, @unchecked Sendable {
    private let queue = DispatchQueue(label: "delayed mock")
    private let isStopped = Mutex(false)

    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        queue.asyncAfter(deadline: .now() + .milliseconds(1)) { [self] in
            guard !isStopped.withLock({ $0 }), let url = request.url else { return }
            let response = URLResponse(
                url: url,
                mimeType: "text/plain",
                expectedContentLength: 4,
                textEncodingName: nil
            )
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: Data("la".utf8))
            queue.async { [self] in
                client?.urlProtocol(self, didLoad: Data("te".utf8))
                client?.urlProtocolDidFinishLoading(self)
            }
        }
    }

    override func stopLoading() { isStopped.withLock { $0 = true } }
}

/// A mock whose work is an asynchronous function.
private final class TaskMock: URLProtocol, @unchecked Sendable {
    private let work = Mutex<Task<Void, Never>?>(nil)

    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    private static func content(of request: URLRequest) async throws -> Data {
        await Task.yield()
        return Data((request.url?.lastPathComponent ?? "").utf8)
    }

    override func startLoading() {
        work.withLock { work in
            work = Task { [self] in
                do {
                    let data = try await Self.content(of: request)
                    guard let url = request.url else { throw URLError(.badURL) }
                    let response = URLResponse(
                        url: url,
                        mimeType: nil,
                        expectedContentLength: data.count,
                        textEncodingName: nil
                    )
                    client?.urlProtocol(
                        self,
                        didReceive: response,
                        cacheStoragePolicy: .notAllowed
                    )
                    client?.urlProtocol(self, didLoad: data)
                    client?.urlProtocolDidFinishLoading(self)
                } catch {
                    client?.urlProtocol(self, didFailWithError: error)
                }
            }
        }
    }

    override func stopLoading() { work.withLock { $0?.cancel() } }
}

@Suite(.timeLimit(.minutes(10)))
struct ProtocolTimingTests {
    @Test func protocolCanAnswerLaterFromAnotherQueue() async throws {
        let mocks = MockSession([DelayedMock.self])
        let url = try #require(URL(string: "https://later.invalid/"))
        #expect(try await mocks.text(url).0 == "late")
    }

    @Test func protocolCanAnswerFromASwiftTask() async throws {
        let mocks = MockSession([TaskMock.self])
        let url = try #require(URL(string: "https://later.invalid/content"))
        #expect(try await mocks.text(url).0 == "content")
    }

    @Test func protocolCallsAreDeliveredInOrder() async throws {
        let url = try ScriptedMock.url { mock in
            mock.respond()
            for number in 0..<500 { mock.load("\(number),") }
            mock.finish()
        }
        let text = try await MockSession().text(url).0
        #expect(text == (0..<500).map { "\($0)," }.joined())
    }

    @Test func concurrentMocksKeepTheirResponses() async throws {
        let mocks = MockSession([TaskMock.self])
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<300 {
                let url = try #require(URL(string: "https://many.invalid/\(number)"))
                group.addTask { try await mocks.text(url).0 == "\(number)" }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func blockingMocksDoNotDelayOthers() async throws {
        let (count, everyoneIsHere) = (Watched(0), Gate())
        let url = try ScriptedMock.url { mock in
            let isLast = count.update { count in
                count += 1
                return count == 24
            }
            if isLast { everyoneIsHere.open() }
            everyoneIsHere.waitBlocking()
            mock.answer("there")
        }
        let mocks = MockSession()
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<24 { group.addTask { try await mocks.text(url).0 } }
            for try await text in group { #expect(text == "there") }
        }
    }

    @Test func startAndStopNeverOverlap() async throws {
        let journal = EventRecorder<String>()
        let (started, proceed) = (Gate(), Gate())
        let url = try ScriptedMock.url(
            stop: { _ in journal.record("stop") },
            start: { _ in
                journal.record("start begins")
                started.open()
                proceed.waitBlocking()
                journal.record("start ends")
            }
        )
        let mocks = MockSession()
        let task = mocks.session.dataTask(with: url)
        task.resume()
        try await started.wait()
        task.cancel()
        proceed.open()
        #expect(try await journal.wait(count: 3) == ["start begins", "start ends", "stop"])
    }
}
