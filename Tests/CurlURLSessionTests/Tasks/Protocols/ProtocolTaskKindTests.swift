import CurlURLSession
import Foundation
import Synchronization
import TestSupport
import Testing

/// Loads requests over the network, and marks them so that it doesn't accept them again.
private final class LoggingMock: URLProtocol, @unchecked Sendable {
    static let log = EventRecorder<String>()
    private static let key = "LoggingMock.isHandled"
    private let inner = Mutex<URLSessionDataTask?>(nil)

    override class func canInit(with request: URLRequest) -> Bool {
        URLProtocol.property(forKey: key, in: request) == nil
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let marked = NSURLRequest(request).mutableCopy() as? NSMutableURLRequest else {
            return
        }
        URLProtocol.setProperty(true, forKey: Self.key, in: marked)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [LoggingMock.self]
        let session = URLSession(configuration: configuration)
        let task = session.dataTask(with: URLRequest(marked)) { [self] data, response, error in
            if let error {
                client?.urlProtocol(self, didFailWithError: error)
            } else if let data, let response {
                Self.log.record(request.url?.path() ?? "")
                client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .allowed)
                client?.urlProtocol(self, didLoad: data)
                client?.urlProtocolDidFinishLoading(self)
            }
        }
        inner.withLock { $0 = task }
        task.resume()
        session.finishTasksAndInvalidate()
    }

    override func stopLoading() { inner.withLock { $0.take() }?.cancel() }
}

/// Accepts tasks by their description.
private final class DescribedMock: URLProtocol {
    override class func canInit(with task: URLSessionTask) -> Bool {
        task.taskDescription == "mine"
    }

    override class func canInit(with request: URLRequest) -> Bool { false }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        var request = request
        request.setValue("yes", forHTTPHeaderField: "X-Canonical")
        return request
    }

    private var isOfTask = false

    required convenience init(
        task: URLSessionTask,
        cachedResponse: CachedURLResponse?,
        client: (any URLProtocolClient)?
    ) {
        let request = task.currentRequest ?? URLRequest(url: URL(filePath: "/"))
        self.init(
            request: Self.canonicalRequest(for: request),
            cachedResponse: cachedResponse,
            client: client
        )
        self.task = task
        isOfTask = true
    }

    required init(
        request: URLRequest,
        cachedResponse: CachedURLResponse?,
        client: (any URLProtocolClient)?
    ) {
        super.init(request: request, cachedResponse: cachedResponse, client: client)
    }

    override func startLoading() {
        let canonical = request.value(forHTTPHeaderField: "X-Canonical") ?? "no"
        let text = "\(isOfTask) \(task?.taskDescription ?? "none") \(canonical)"
        client?.urlProtocol(self, didLoad: Data(text.utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

@Suite(.timeLimit(.minutes(10)))
struct ProtocolTaskKindTests {
    @Test func protocolCanForwardRequestsToTheNetwork() async throws {
        let server = try LoopbackServer { .text("\($0.method) \($0.path) \($0.bodyText)") }
        let mocks = MockSession([LoggingMock.self])
        let path = "/" + UUID().uuidString
        var request = URLRequest(url: try #require(URL(string: server.url + path)))
        request.httpMethod = "POST"
        request.httpBody = Data("body".utf8)
        let (text, response) = try await mocks.text(request)
        #expect(text == "POST \(path) body")
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(server.requestCount == 1)
        #expect(LoggingMock.log.events.filter { $0 == path }.count == 1)
    }

    @Test func cancellingATaskCancelsItsProtocolsRequests() async throws {
        let server = try LoopbackServer.scripted([.readHead, .waitFor(Gate())])
        let mocks = MockSession([LoggingMock.self])
        let url = try #require(URL(string: server.url))
        let task = mocks.session.dataTask(with: url)
        task.resume()
        _ = try await server.requestHead(0)
        task.cancel()
        try await server.connectionClosed(0)
    }

    @Test func protocolClassCanChooseByTask() async throws {
        let mocks = MockSession([DescribedMock.self, ScriptedMock.self])
        let url = try ScriptedMock.url { $0.answer("other") }
        #expect(try await mocks.text(url).0 == "other")
        let text = await withCheckedContinuation { continuation in
            let task = mocks.session.dataTask(with: url) { data, _, _ in
                continuation.resume(returning: String(decoding: data ?? Data(), as: UTF8.self))
            }
            task.taskDescription = "mine"
            task.resume()
        }
        #expect(text == "true mine yes")
    }

    @Test func downloadFromAMockIsAFile() async throws {
        let url = try ScriptedMock.url(path: "/report.txt") { $0.answer("the file") }
        let mocks = MockSession()
        let (file, response) = try await mocks.session.download(from: url)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try Data(contentsOf: file) == Data("the file".utf8))
        #expect(response.suggestedFilename == "report.txt")
    }

    @Test func downloadHandlerGetsTheMocksFile() async throws {
        let url = try ScriptedMock.url { $0.answer("the file") }
        let mocks = MockSession()
        let content = await withCheckedContinuation { continuation in
            mocks.session.downloadTask(with: url) { file, _, _ in
                continuation.resume(returning: file.flatMap { try? Data(contentsOf: $0) })
            }.resume()
        }
        #expect(content == Data("the file".utf8))
    }

    @Test func mockBytesAreReadOneByOne() async throws {
        let proceed = Gate()
        let url = try ScriptedMock.url { mock in
            mock.respond()
            mock.load("first\n")
            proceed.onOpen {
                mock.load("second\n")
                mock.finish()
            }
        }
        let mocks = MockSession()
        let (bytes, response) = try await mocks.session.bytes(from: url)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        var lines: [String] = []
        for try await line in bytes.lines {
            lines.append(line)
            proceed.open()
        }
        #expect(lines == ["first", "second"])
    }

    @Test func suspendedTaskGetsMockEventsLater() async throws {
        let (started, proceed) = (Gate(), Gate())
        let url = try ScriptedMock.url { mock in
            started.open()
            proceed.onOpen { mock.answer("later") }
        }
        let journal = TaskJournal()
        let mocks = MockSession(delegate: journal)
        let task = mocks.session.dataTask(with: url)
        task.resume()
        try await started.wait()
        task.suspend()
        proceed.open()
        // Events of the mock are held back while the task is suspended.
        let other = try ScriptedMock.url { $0.answer("other") }
        #expect(try await MockSession().text(other).0 == "other")
        #expect(journal.entries.events.isEmpty)
        task.resume()
        #expect(try await journal.entriesToEnd().last == "completed")
    }

    @Test func validCachedResponseIsTheResponse() async throws {
        let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        let url = try ScriptedMock.url { mock in
            if let cached = mock.cachedResponse {
                mock.client?.urlProtocol(mock, cachedResponseIsValid: cached)
                mock.finish()
            } else {
                mock.answer("fresh")
            }
        }
        let mocks = MockSession { $0.urlCache = cache }
        #expect(try await mocks.text(url).0 == "fresh")
        let stored = URLResponse(
            url: url,
            mimeType: "text/plain",
            expectedContentLength: 6,
            textEncodingName: nil
        )
        cache.storeCachedResponse(
            CachedURLResponse(response: stored, data: Data("cached".utf8)),
            for: URLRequest(url: url)
        )
        let (text, response) = try await mocks.text(url)
        #expect(text == "cached")
        #expect(response.mimeType == "text/plain")
        var request = URLRequest(url: url)
        request.cachePolicy = .reloadIgnoringLocalCacheData
        #expect(try await mocks.text(request).0 == "fresh")
    }
}
