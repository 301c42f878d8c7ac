internal import Dispatch
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

@Suite(.timeLimit(.minutes(10))) struct HTTPSessionManagerTests {
    private let ends = EventRecorder<VerbOutcome>()

    /// Returns a server that replies with the received request on one line.
    private static func echo() throws -> LoopbackServer {
        try LoopbackServer { request in
            let type = request.header("Content-Type") ?? "-"
            return .text("\(request.method) \(request.target) \(type) \(request.bodyText)")
        }
    }

    @Test("H-01: Each manager is a new one with its own session")
    func everyManagerIsAnotherOne() {
        let (one, another) = (HTTPSessionManager.manager(), HTTPSessionManager.manager())
        #expect(one !== another && one.session !== another.session)
        #expect(one.baseURL == nil)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 7
        let configured = HTTPSessionManager(sessionConfiguration: configuration)
        #expect(configured.session.configuration.timeoutIntervalForRequest == 7)
        #expect(HTTPSessionManager(baseURL: URL(string: "http://h")).baseURL?.host == "h")
        #expect(HTTPSessionManager().baseURL == nil)
    }

    @Test(
        "H-02: The path of a base URL ends with a slash",
        arguments: [
            ("http://h", "http://h"), ("http://h/", "http://h/"), ("http://h/v1", "http://h/v1/"),
            ("http://h/v1/", "http://h/v1/"), ("http://h/v1?x=1", "http://h/v1/?x=1"),
            ("http://h/a%20b", "http://h/a%20b/"),
        ]
    )
    func aBaseURLsPathEndsWithASlash(_ given: String, _ kept: String) {
        let manager = HTTPSessionManager(baseURL: URL(string: given))
        #expect(manager.baseURL?.absoluteString == kept)
    }

    @Test(
        "H-03: URL strings are resolved against the base URL",
        arguments: [
            ("foo", "/v1/foo"), ("foo?bar=baz", "/v1/foo?bar=baz"), ("/foo", "/foo"),
            ("foo/", "/v1/foo/"), ("/foo/", "/foo/"), ("", "/v1/"), ("../x", "/x"),
            ("?a", "/v1/?a"),
        ]
    )
    func textsAreResolved(_ text: String, _ target: String) async throws {
        let server = try Self.echo()
        for base in [server.at("/v1"), server.at("/v1/")] {
            let manager = HTTPSessionManager.forTest(base)
            let data = try await manager.get(text) as? Data
            #expect(String(decoding: data ?? Data(), as: UTF8.self) == "GET \(target) - ")
        }
        let other = HTTPSessionManager.forTest("http://127.0.0.1:1/v1")
        #expect(try await other.get(server.at("/abs")) is Data)
    }

    @Test("H-03, H-13, Q-11: A string that isn't a URL is a later failure without a task")
    func aTextThatIsNoURLIsAFailure() async throws {
        let manager = HTTPSessionManager.forTest()
        let group = DispatchGroup()
        manager.completionGroup = group
        let queue = DispatchQueue(label: "held")
        manager.completionQueue = queue
        let gate = Gate()
        let hasBegun = Gate()
        queue.async {
            hasBegun.open()
            let opened = DispatchSemaphore(value: 0)
            gate.onOpen { opened.signal() }
            opened.wait()
        }
        try await hasBegun.wait()
        for text in ["", "http://["] {
            #expect(manager.get(text, success: ends.success, failure: ends.failure) == nil)
        }
        #expect(
            manager.post(
                "http://[",
                constructingBodyWith: { _ in },
                success: ends.success,
                failure: ends.failure
            ) == nil
        )
        #expect(ends.events.isEmpty)
        // The group is empty.
        await withCheckedContinuation { continuation in
            group.notify(queue: .global()) { continuation.resume() }
        }
        gate.open()
        for end in try await ends.wait(count: 3) {
            #expect(end.task == nil && end.code == URLError.Code.badURL.rawValue)
        }
        await #expect(throws: NSError.self) { try await manager.get("") }
    }

    @Test(
        "H-13, Q-11: Parameters that can't be encoded are a failure, on the main queue by default"
    )
    func parametersThatCannotBeEncodedAreAFailure() async throws {
        let manager = HTTPSessionManager(baseURL: URL(string: "http://h"))
        manager.requestSerializer = JSONRequestSerializer()
        let isOnMainQueue = await withCheckedContinuation { continuation in
            let task = manager.post(
                "x",
                parameters: ["k": Date()],
                success: nil,
                failure: { _, _ in
                    continuation.resume(returning: MainQueueMark.isOnMainQueue)
                }
            )
            #expect(task == nil)
        }
        #expect(isOnMainQueue)
    }

    @Test("H-04: By default, parameters are encoded as a query or form")
    func parametersAreAQueryOrAForm() throws {
        let manager = HTTPSessionManager()
        #expect(type(of: manager.requestSerializer) == HTTPRequestSerializer.self)
        manager.requestSerializer.setValue("1", forHTTPHeaderField: "X-Mine")
        #expect(manager.requestSerializer.value(forHTTPHeaderField: "X-Mine") == "1")
    }

    @Test("H-06, H-08, H-10, H-11: Each method resumes its task and returns the response")
    func eachMethodSendsItsRequest() async throws {
        let server = try Self.echo()
        let manager = HTTPSessionManager.forTest(server.at("/"))
        let (success, failure) = (ends.success, ends.failure)
        let parameters = ["k": "v"]
        let form = "application/x-www-form-urlencoded"
        let tasks = [
            manager.get("p", parameters: parameters, success: success, failure: failure),
            manager.post("p", parameters: parameters, success: success, failure: failure),
            manager.put("p", parameters: parameters, success: success, failure: failure),
            manager.patch("p", parameters: parameters, success: success, failure: failure),
            manager.delete("p", parameters: parameters, success: success, failure: failure),
        ]
        let report = manager.dataTask(
            withHTTPMethod: "REPORT",
            urlString: "p",
            parameters: parameters,
            success: success,
            failure: failure
        )
        #expect(report?.state == .suspended)
        report?.resume()
        let outcomes = try await ends.wait(count: 6)
        #expect(
            Set(outcomes.compactMap(\.text)) == [
                "GET /p?k=v - ", "POST /p \(form) k=v", "PUT /p \(form) k=v",
                "PATCH /p \(form) k=v", "DELETE /p?k=v - ", "REPORT /p \(form) k=v",
            ]
        )
        #expect(Set(outcomes.map(\.task)) == Set(tasks + [report]))
    }

    @Test("H-07: The success handler of HEAD gets only the task")
    func headSuccessHandlerGetsOnlyTheTask() async throws {
        let server = try Self.echo()
        let manager = HTTPSessionManager.forTest(server.at("/"))
        let tasks = EventRecorder<URLSessionDataTask>()
        let task = manager.head(
            "p",
            parameters: ["k": 1],
            success: { tasks.record($0) },
            failure: ends.failure
        )
        let delivered = try await tasks.first { _ in true }
        #expect(delivered === task && (delivered.response as? HTTPURLResponse)?.statusCode == 200)
        #expect(server.requests[0].method == "HEAD" && server.requests[0].target == "/p?k=1")
        try await manager.head("p")
    }

    @Test("H-06, H-08: GET reports download progress, and POST upload progress")
    func progressIsReported() async throws {
        let server = try LoopbackServer { _ in .text(String(repeating: "x", count: 1000)) }
        let manager = HTTPSessionManager.forTest(server.at("/"))
        let received = EventRecorder<Int64>()
        let sent = EventRecorder<Int64>()
        try await manager.get("p", progress: { received.record($0.completedUnitCount) })
        #expect(received.events.last == 1000)
        try await manager.post(
            "p",
            parameters: ["k": String(repeating: "y", count: 498)],
            progress: { sent.record($0.completedUnitCount) }
        )
        #expect(sent.events.last == 500)
        let form = EventRecorder<Double>()
        try await manager.post(
            "p",
            progress: { form.record($0.fractionCompleted) },
            constructingBodyWith: { $0.appendPart(withForm: Data(count: 5000), name: "f") }
        )
        #expect(form.events.last == 1)
    }

    @Test("H-09: A form is a streamed POST, and an ordinary one without parts")
    func aFormIsAStreamedPost() async throws {
        let server = try Self.echo()
        let manager = HTTPSessionManager.forTest(server.at("/"))
        let task = manager.post(
            "p",
            parameters: ["k": "v"],
            headers: ["X-One": "1"],
            constructingBodyWith: { $0.appendPart(withForm: Data("y".utf8), name: "x") },
            success: ends.success,
            failure: ends.failure
        )
        #expect(task is URLSessionUploadTask)
        _ = try await ends.only()
        let request = try #require(server.requests.first)
        #expect(request.header("Content-Type")?.hasPrefix("multipart/form-data; ") ?? false)
        #expect(request.header("Content-Length") == "\(request.bodyByteCount)")
        #expect(request.header("X-One") == "1")
        #expect(request.bodyText.contains("name=\"k\"\r\n\r\nv\r\n"))
        #expect(request.bodyText.contains("name=\"x\"\r\n\r\ny\r\n"))
        let plain = manager.post(
            "p",
            constructingBodyWith: { _ in },
            success: ends.success,
            failure: ends.failure
        )
        #expect(!(plain is URLSessionUploadTask))
        let text = try await ends.wait(count: 2)[1].text
        #expect(text == "POST /p application/x-www-form-urlencoded ")
    }

    @Test("H-09, S-39, M-17: A manager sends a form again after a redirect")
    func aManagerSendsAFormAgain() async throws {
        let server = try LoopbackServer { request in
            request.path == "/end" ? .bytes(request.body) : .redirect(307, to: "/end")
        }
        let manager = HTTPSessionManager.forTest(server.at("/"))
        let object = try await manager.post("p", parameters: ["k": "v"]) { form in
            form.appendPart(withForm: Data("y".utf8), name: "x")
        }
        let body = try #require(object as? Data)
        #expect(server.requests.map(\.body) == [[UInt8](body), [UInt8](body)])
        #expect(body.count > 100)
    }

    @Test("H-12: The headers of a call replace other headers, for this request only")
    func aRequestsOwnHeadersReplaceTheOthers() async throws {
        let server = try Self.echo()
        let manager = HTTPSessionManager.forTest(server.at("/"))
        manager.requestSerializer.setValue("default", forHTTPHeaderField: "X-One")
        for headers: HTTPHeaders? in [["x-ONE": "own", "content-type": "text/x"], nil] {
            try await manager.post("p", parameters: ["k": 1], headers: headers)
        }
        let (first, second) = (server.requests[0], server.requests[1])
        #expect(first.headers("X-One") == ["own"] && first.headers("Content-Type") == ["text/x"])
        #expect(second.headers("X-One") == ["default"])
        #expect(second.header("Content-Type") == "application/x-www-form-urlencoded")
    }

    @Test("H-13: An error calls the failure handler with the task, even if the body was parsed")
    func anErrorIsAFailure() async throws {
        let server = try LoopbackServer { _ in .text("no", status: 404) }
        let manager = HTTPSessionManager.forTest(server.at("/"))
        let task = manager.get("p", success: ends.success, failure: ends.failure)
        let end = try await ends.only()
        #expect(end.error as? Refusal == Refusal(status: 404) && end.task === task)
        let error = await #expect(throws: Refusal.self) { try await manager.get("p") }
        #expect(error?.status == 404)
        let port = try LoopbackServer.unusedPort()
        await #expect(throws: URLError.self) {
            try await manager.get("http://127.0.0.1:\(port)/")
        }
    }

    @Test("H-13: All handlers are optional")
    func allHandlersAreOptional() async throws {
        let server = try Self.echo()
        let manager = HTTPSessionManager.forTest(server.at("/"))
        manager.get("p", success: nil, failure: nil)
        manager.get("p", success: ends.success, failure: nil)
        _ = try await ends.only()
        #expect(manager.get("http://[", success: nil, failure: nil) == nil)
    }

    @Test("H-15: A copy has the base URL, the configuration and a copy of the serializer")
    func aCopyHasTheBaseURL() throws {
        let manager = HTTPSessionManager.forTest("http://h/v1")
        manager.requestSerializer = JSONRequestSerializer(writingOptions: .sortedKeys)
        let copy = try #require(manager.copy() as? HTTPSessionManager)
        #expect(copy !== manager && copy.session !== manager.session)
        #expect(copy.baseURL == manager.baseURL && copy.completionQueue == nil)
        #expect(copy.session.configuration.timeoutIntervalForRequest == 300)
        let serializer = try #require(copy.requestSerializer as? JSONRequestSerializer)
        #expect(serializer !== manager.requestSerializer)
        #expect(serializer.writingOptions == .sortedKeys)
        #expect(copy.responseSerializer is ScriptedSerializer)
    }

    @Test("S-15: A manager's description has its class, base URL and session")
    func aManagerDescribesItself() {
        let text = HTTPSessionManager(baseURL: URL(string: "http://h")).description
        #expect(text.hasPrefix("<HTTPSessionManager: 0x"))
        #expect(text.contains("baseURL: http://h, session: "))
    }

    private struct Search: Encodable {
        var term: String
        var tags: [String]
    }

    @Test("A-10, H-11: Encodable parameters are encoded as a query, form or JSON")
    func encodableParametersAreEncoded() async throws {
        let server = try Self.echo()
        let manager = HTTPSessionManager.forTest(server.at("/"))
        let search = Search(term: "a b", tags: ["x"])
        func text(_ method: HTTPMethod) async throws -> String {
            let object = try await manager.object(
                withHTTPMethod: method,
                urlString: "p",
                encoding: search,
                headers: ["X-One": "1"]
            )
            return String(decoding: object as? Data ?? Data(), as: UTF8.self)
        }
        let query = "tags%5B%5D=x&term=a%20b"
        #expect(try await text(.get) == "GET /p?\(query) - ")
        #expect(try await text(.post) == "POST /p application/x-www-form-urlencoded \(query)")
        manager.requestSerializer = JSONRequestSerializer(writingOptions: .sortedKeys)
        let json = #"{"tags":["x"],"term":"a b"}"#
        #expect(try await text(.put) == "PUT /p application/json \(json)")
        #expect(server.requests.allSatisfy { $0.header("X-One") == "1" })
        manager.dataTask(
            withHTTPMethod: .patch,
            urlString: "p",
            encoding: search,
            success: ends.success,
            failure: ends.failure
        )?.resume()
        #expect(try await ends.only().text == "PATCH /p application/json \(json)")
    }

    @Test("H-06, T-09: If a task becomes a download, its success handler is called")
    func taskThatBecomesADownloadCallsItsSuccessHandler() async throws {
        let folder = try TemporaryDirectory()
        let file = URL(fileURLWithPath: folder.path("file"))
        let server = try Self.echo()
        let manager = HTTPSessionManager.forTest(server.at("/"))
        manager.setDataTaskDidReceiveResponse { _, _, _ in .becomeDownload }
        manager.setDownloadTaskDidFinishDownloading { _, _, _ in file }
        manager.get("p", success: ends.success, failure: ends.failure)
        let end = try await ends.only()
        #expect(end.object as? URL == file && end.error == nil)
        #expect(end.task?.originalRequest?.url?.path == "/p")
    }
}
