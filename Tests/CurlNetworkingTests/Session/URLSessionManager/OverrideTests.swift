internal import Dispatch
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Asynchronous methods of subclasses that override the methods that create tasks.
@Suite(.timeLimit(.minutes(10))) struct OverrideTests {
    /// Returns a server that replies with the signature it received, or 401 without one.
    private func server() throws -> LoopbackServer {
        try LoopbackServer { request in
            let signature = request.header("X-Signature")
            return .text(signature ?? "unsigned", status: signature == nil ? 401 : 200)
        }
    }

    private func manager<Manager: HTTPSessionManager>(
        for server: LoopbackServer,
        _ make: (URL?, URLSessionConfiguration) -> Manager
    ) -> Manager {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 300
        let manager = make(URL(string: server.at("/")), configuration)
        manager.completionQueue = DispatchQueue(label: "completions")
        manager.responseSerializer = StringResponseSerializer()
        return manager
    }

    @Test("A-26: Asynchronous methods call an override of the method that creates data tasks")
    func asyncMethodsCallTheOverride() async throws {
        let server = try server()
        let manager = manager(for: server) {
            SigningManager(baseURL: $0, sessionConfiguration: $1)
        }
        // The asynchronous methods need no queue, also in a subclass.
        let queue = DispatchQueue(label: "never")
        queue.suspend()
        defer { queue.resume() }
        manager.completionQueue = queue
        let gotten = try await manager.get("x")
        #expect(gotten as? String == "signed, wrapped")
        let posted = try await manager.post("x", parameters: ["k": "v"])
        #expect(posted as? String == "signed, wrapped")
        let (object, response) = try await manager.object(for: server.request("/x"))
        #expect(object as? String == "signed, wrapped")
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        let answer = await manager.dataResponse(
            for: try server.request("/x"),
            serializer: StringResponseSerializer()
        )
        #expect(answer.value == "signed, wrapped")
        #expect(answer.metrics?.transactionMetrics.count == 1)
        #expect(answer.data == Data("signed".utf8))
        #expect(answer.request?.value(forHTTPHeaderField: "X-Signature") == "signed")
    }

    @Test("A-26: An override gets the request's own interceptor and progress handlers")
    func overrideKeepsTheOptionsOfAnAsyncMethod() async throws {
        let server = try server()
        let manager = manager(for: server) {
            SigningManager(baseURL: $0, sessionConfiguration: $1)
        }
        let received = EventRecorder<Int64>()
        let object = try await manager.object(
            withHTTPMethod: .get,
            urlString: "x",
            interceptor: Adapter { request, _ in
                var request = request
                request.setValue("adapted", forHTTPHeaderField: "X-Signature")
                return request
            },
            downloadProgress: { received.record($0.completedUnitCount) }
        )
        #expect(object as? String == "adapted, wrapped")
        #expect(received.events.last == 7)
    }

    @Test("A-26: An override may retry with another task, whose object is returned")
    func overrideMayRetry() async throws {
        let server = try server()
        let manager = manager(for: server) {
            RetryingManager(baseURL: $0, sessionConfiguration: $1)
        }
        let object = try await manager.get("x")
        #expect(object as? String == RetryingManager.signature)
        #expect(server.requestCount == 2)
    }

    private struct User: Decodable, Sendable {
        let name: String
    }

    @Test("A-26: The retry of an override has the call's serializer and interceptor")
    func retryOfAnOverrideKeepsTheOptions() async throws {
        let server = try server()
        let manager = manager(for: server) {
            RetryingManager(baseURL: $0, sessionConfiguration: $1)
        }
        let user: User = try await manager.get("x")
        #expect(user.name == "second")
        let adapted = EventRecorder<String?>()
        let object = try await manager.object(
            withHTTPMethod: .get,
            urlString: "x",
            interceptor: Adapter { request, _ in
                adapted.record(request.value(forHTTPHeaderField: "X-Signature"))
                return request
            }
        )
        #expect(object as? String == RetryingManager.signature)
        #expect(adapted.events == [nil, RetryingManager.signature])
    }

    @Test("A-26: If an override's retry fails, the response value has the request of the retry")
    func failedRetryHasItsOwnRequest() async throws {
        let port = try LoopbackServer.unusedPort()
        let manager = RetryingManager(baseURL: URL(string: "http://127.0.0.1:\(port)/"))
        manager.completionQueue = DispatchQueue(label: "completions")
        let answer = await manager.dataResponse(
            urlString: "x",
            serializer: StringResponseSerializer()
        )
        #expect(answer.error?.isConnectivity == true)
        let signature = answer.request?.value(forHTTPHeaderField: "X-Signature")
        #expect(signature == RetryingManager.signature)
        #expect(answer.metrics != nil)
    }

    @Test("A-26: An override without a completion handler doesn't stop an asynchronous method")
    func overrideWithoutAHandlerCompletes() async throws {
        let server = try server()
        let manager = manager(for: server) {
            DroppingManager(baseURL: $0, sessionConfiguration: $1)
        }
        let error = await failure { try await manager.get("x") }
        #expect(error?.code == -1011)
    }

    @Test("A-26: Asynchronous uploads and downloads call the overrides of their methods")
    func asyncUploadsAndDownloadsCallOverrides() async throws {
        let folder = try TemporaryDirectory()
        let file = URL(fileURLWithPath: folder.path("file"))
        let server = try server()
        let manager = manager(for: server) {
            SigningManager(baseURL: $0, sessionConfiguration: $1)
        }
        // The serializer doesn't get the body of a download.
        let serializer = manager.responseSerializer
        manager.responseSerializer = HTTPResponseSerializer()
        let (moved, _) = try await manager.download("x") { _, _ in file }
        manager.responseSerializer = serializer
        #expect(moved == file)
        #expect(try folder.read("file") == Array("signed".utf8))
        let put = try server.request("/x", method: "PUT")
        let (object, _) = try await manager.upload(for: put, from: Data("body".utf8))
        #expect(object as? String == "signed")
        let chunks = AsyncStream<Data> { $0.finish() }
        let (sent, _) = try await manager.upload(for: put, from: chunks)
        #expect(sent as? String == "signed")
    }

    @Test("A-26: Cancelling the Swift task cancels the task that an override has created")
    func cancellingCancelsTheTaskOfAnOverride() async throws {
        let server = try LoopbackServer { _ in .steps([.stall]) }
        let manager = manager(for: server) {
            SigningManager(baseURL: $0, sessionConfiguration: $1)
        }
        let waiting = Task { try await manager.get("x") is String }
        try await server.requests(count: 1)
        waiting.cancel()
        let error = await #expect(throws: URLError.self) { try await waiting.value }
        #expect(error?.code == .cancelled)
    }

    @Test("A-26: A call can be cancelled while an override holds back its completion handler")
    func cancellingEndsTheWaitForAnOverride() async throws {
        let server = try server()
        let manager = manager(for: server) {
            HoldingManager(baseURL: $0, sessionConfiguration: $1)
        }
        let waiting = Task { try await manager.get("x") is String }
        _ = try await manager.held.first { _ in true }
        waiting.cancel()
        let error = await #expect(throws: URLError.self) { try await waiting.value }
        #expect(error?.code == .cancelled)
    }

    @Test("A-26: A cancelled call ends, also if an override then doesn't call its handler")
    func cancelledTaskOfAnOverrideEndsTheWait() async throws {
        let server = try LoopbackServer { _ in .steps([.stall]) }
        let manager = manager(for: server) {
            HoldingManager(baseURL: $0, sessionConfiguration: $1)
        }
        let waiting = Task { try await manager.get("x") is String }
        try await server.requests(count: 1)
        waiting.cancel()
        let error = await #expect(throws: URLError.self) { try await waiting.value }
        #expect(error?.code == .cancelled)
        let held = try await manager.held.first { _ in true }
        #expect(held == URLError.Code.cancelled.rawValue)
    }

    @Test("A-26: Cancelling the Swift task cancels the retry of an override")
    func cancellingCancelsTheRetryOfAnOverride() async throws {
        let server = try LoopbackServer { request in
            request.header("X-Signature") == nil ? .text("", status: 401) : .steps([.stall])
        }
        let manager = manager(for: server) {
            RetryingManager(baseURL: $0, sessionConfiguration: $1)
        }
        let waiting = Task { try await manager.get("x") is String }
        let retry = try await server.requestHead(1)
        waiting.cancel()
        let error = await #expect(throws: URLError.self) { try await waiting.value }
        #expect(error?.code == .cancelled)
        try await server.connectionClosed(retry.connection)
    }

    @Test("A-26: A second outcome of a call is ignored")
    func secondOutcomeIsIgnored() async {
        func outcome(_ text: String) -> TaskOutcome {
            TaskOutcome(
                TaskOutcome.Parts(
                    response: nil,
                    data: Data(text.utf8),
                    file: nil,
                    metrics: nil,
                    error: nil,
                    serializer: StringResponseSerializer()
                )
            )
        }
        let waiter = OutcomeWaiter()
        waiter.take(outcome("first"))
        waiter.take(outcome("second"))
        let taken = await waiter.outcome()
        #expect(taken.data == Data("first".utf8))
        waiter.take(outcome("third"))
    }
}

/// Signs requests, and changes the objects of data tasks.
private final class SigningManager: HTTPSessionManager, @unchecked Sendable {
    private func signed(_ request: URLRequest) -> URLRequest {
        var request = request
        request.setValue("signed", forHTTPHeaderField: "X-Signature")
        return request
    }

    override func dataTask(
        with request: URLRequest,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: CompletionHandler?
    ) -> URLSessionDataTask {
        super.dataTask(
            with: signed(request),
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress,
            completionHandler: { response, object, error in
                completionHandler?(response, (object as? String).map { $0 + ", wrapped" }, error)
            }
        )
    }

    override func uploadTask(
        with request: URLRequest,
        from bodyData: Data?,
        progress: ProgressHandler? = nil,
        completionHandler: CompletionHandler?
    ) -> URLSessionUploadTask {
        super.uploadTask(
            with: signed(request),
            from: bodyData,
            progress: progress,
            completionHandler: completionHandler
        )
    }

    override func uploadTask(
        with request: URLRequest,
        from sequence: UploadSequence,
        progress: ProgressHandler? = nil,
        completionHandler: CompletionHandler?
    ) -> URLSessionUploadTask {
        super.uploadTask(
            with: signed(request),
            from: sequence,
            progress: progress,
            completionHandler: completionHandler
        )
    }

    override func downloadTask(
        with request: URLRequest,
        options: DownloadOptions = [],
        progress: ProgressHandler? = nil,
        destination: Destination? = nil,
        completionHandler: DownloadCompletionHandler?
    ) -> URLSessionDownloadTask {
        super.downloadTask(
            with: signed(request),
            options: options,
            progress: progress,
            destination: destination,
            completionHandler: completionHandler
        )
    }
}

/// Sends a request again with a signature, if the server requires one or doesn't respond.
private final class RetryingManager: HTTPSessionManager, @unchecked Sendable {
    static let signature = #"{"name":"second"}"#

    override func dataTask(
        with request: URLRequest,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: CompletionHandler?
    ) -> URLSessionDataTask {
        super.dataTask(
            with: request,
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress,
            completionHandler: { response, object, error in
                switch (response as? HTTPURLResponse)?.statusCode {
                case nil, 401:
                    self.retry(request, completionHandler)
                default:
                    completionHandler?(response, object, error)
                }
            }
        )
    }

    private func retry(_ request: URLRequest, _ completionHandler: CompletionHandler?) {
        var request = request
        request.setValue(Self.signature, forHTTPHeaderField: "X-Signature")
        super.dataTask(with: request, completionHandler: completionHandler).resume()
    }
}

/// Doesn't call its completion handlers.
private final class HoldingManager: HTTPSessionManager, @unchecked Sendable {
    /// The codes of the errors of completed tasks; `nil` for none.
    let held = EventRecorder<Int?>()

    override func dataTask(
        with request: URLRequest,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: CompletionHandler?
    ) -> URLSessionDataTask {
        super.dataTask(
            with: request,
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress,
            completionHandler: { _, _, error in self.held.record((error as NSError?)?.code) }
        )
    }
}

/// Creates tasks without completion handlers.
private final class DroppingManager: HTTPSessionManager, @unchecked Sendable {
    override func dataTask(
        with request: URLRequest,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: CompletionHandler?
    ) -> URLSessionDataTask {
        super.dataTask(with: request, completionHandler: nil)
    }
}
