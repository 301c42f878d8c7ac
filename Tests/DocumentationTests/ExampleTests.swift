internal import CurlNetworking
internal import CurlTransport
internal import Foundation
internal import Synchronization
internal import TestSupport
internal import Testing

/// The examples do what their pages say.
@Suite(.timeLimit(.minutes(10))) struct ExampleTests {
    private let folder: TemporaryDirectory
    private let console: Console

    init() throws {
        folder = try TemporaryDirectory()
        console = try Console()
    }

    private func file(_ name: String = "photo.png", _ text: String = "picture") throws -> URL {
        URL(fileURLWithPath: try folder.write(text, to: name))
    }

    // MARK: Coming from AFNetworking

    @Test func verbExamplesGetResponses() async throws {
        let page = ComingFromAFNetworking(manager: try console.manager(), print: console.print)
        page.get()
        try await console.wait(for: "Grace")
        page.head()
        try await console.wait(for: "200")
        for (send, method) in [(page.post, "POST"), (page.put, "PUT"), (page.patch, "PATCH")] {
            send()
            try await console.wait(for: "\"\(method)\"")
        }
        page.delete()
        try await console.wait(for: "deleted")
        page.any()
        try await console.wait(for: "REPORT")
        let methods = console.server.requests.map(\.method)
        #expect(methods == ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "REPORT"])
    }

    @Test func asyncVerbExamplesGetResponses() async throws {
        let page = ComingFromAFNetworking(manager: try console.manager(), print: console.print)
        try await page.asynchronously(file())
        try await console.wait(for: "REPORT")
        try await page.decoded()
        try await console.wait(for: #"["Grace", "Ada"]"#)
        page.form(try file("other.png"))
        try await console.wait(for: "1.0")
    }

    @Test func taskExamplesComplete() async throws {
        let manager = try console.manager()
        let page = ComingFromAFNetworking(manager: manager, print: console.print)
        let request = URLRequest(url: try console.url("/users"))
        page.data(request)
        try await console.wait(for: "Ada")
        var put = URLRequest(url: try console.url("/films"))
        put.httpMethod = "PUT"
        page.uploadFile(put, try file("a", "1"))
        page.uploadData(put, Data("12".utf8))
        page.uploadStream(try console.url("/films"), try file("b", "123"))
        page.download(request, URL(fileURLWithPath: folder.path("")))
        try await console.wait(for: "file://")
        let task = manager.dataTask(with: request, completionHandler: nil)
        task.resume()
        await page.progress(task)
        try await console.server.requests(count: 6)
        page.resume(
            manager.downloadTask(with: request, completionHandler: nil),
            URL(fileURLWithPath: folder.path(""))
        )
        try await console.wait(for: "it must be downloaded again")
        for size in [1, 2, 3] { try await console.wait(for: "\"bytes\": \(size)") }
    }

    @Test func handlerExamplesAreCalled() async throws {
        let manager = try console.manager()
        let page = ComingFromAFNetworking(manager: manager, print: console.print)
        page.sessionDidReceiveChallenge()
        page.authenticationChallenge(
            URLCredential(user: "u", password: "p", persistence: .forSession)
        )
        page.taskWillPerformHTTPRedirection()
        page.taskDidSendBodyData()
        page.taskDidComplete()
        page.taskDidFinishCollectingMetrics()
        page.dataTaskDidReceiveResponse()
        page.dataTaskDidBecomeDownloadTask()
        page.dataTaskDidReceiveData()
        page.dataTaskWillCacheResponse()
        page.downloadTaskDidWriteData()
        page.downloadTaskDidResume()
        page.downloadTaskDidFinishDownloading(URL(fileURLWithPath: folder.path("")))
        try await manager.post("films", parameters: ["a": "1234"])
        for text in ["6 of 6", ": done"] { try await console.wait(for: text) }
        page.taskNeedNewBodyStream(try file("b", "12345"))
        page.sessionDidBecomeInvalid()
        manager.invalidateSessionCancelingTasks(false, resetSession: true)
        try await console.wait(for: "the session is over")
    }

    @Test func managerExamplesAreConfigured() async throws {
        let created = ComingFromAFNetworking.create()
        #expect(created.baseURL?.absoluteString == "https://api.example.com/v1/")
        #expect(created.requestSerializer is JSONRequestSerializer)
        let manager = try console.manager()
        ComingFromAFNetworking.styles(manager)
        try await manager.delete("users/17", parameters: ["ids": [1, 2], "all": true])
        #expect(console.server.requests.last?.bodyText == "all=true&ids=1&ids=2")
        ComingFromAFNetworking.accept(manager)
        #expect((manager.responseSerializer as? JSONResponseSerializer)?.options != .init())
        ComingFromAFNetworking.compound(manager)
        let page = ComingFromAFNetworking(manager: manager, print: console.print)
        page.data(URLRequest(url: try console.url("/users")))
        try await console.wait(for: "Grace")
    }

    @Test func subclassExamplesOverride() async throws {
        let server = console.server
        let token = TokenManager(baseURL: try console.url(), sessionConfiguration: .ephemeral)
        try await token.get("users")
        #expect(server.requests.last?.header("X-Token") == "token")
        let versioned = VersionedManager(
            baseURL: try console.url(),
            sessionConfiguration: .ephemeral
        )
        ComingFromAFNetworking(manager: versioned, print: console.print)
            .withoutHandlers(["X-Trace": "1"])
        try await server.requests(count: 2)
        #expect(server.requests.last?.target == "/v2/visits")
        #expect(server.requests.last?.header("X-Trace") == "1")
        let logging = LoggingManager(baseURL: try console.url(), sessionConfiguration: .ephemeral)
        logging.setLoggedTaskDidComplete { [console] _, _, error in
            console.print(error == nil ? "over" : "failed")
        }
        ComingFromAFNetworking.monitor(logging)
        ComingFromAFNetworking.narrowed(logging)
        #expect(logging.responseSerializer.acceptableContentTypes?.count == 2)
        try await logging.get("users")
        try await console.wait(for: "over")
    }

    @Test func monitoringExamplesObserveEvents() async throws {
        let manager = try console.manager()
        let page = ComingFromAFNetworking(manager: manager, print: console.print)
        let observer = page.observe()
        let task = manager.dataTask(
            with: URLRequest(url: try console.url("/users")),
            completionHandler: nil
        )
        task.resume()
        try await console.wait(for: "\(task.taskIdentifier): no error")
        NotificationCenter.default.removeObserver(observer)
        let reachability = page.reachability()
        try await console.wait(for: "eachable")
        reachability.stopMonitoring()
    }

    @Test func errorExamplesClassifyErrors() async throws {
        let manager = try console.manager()
        let page = ComingFromAFNetworking(manager: manager, print: console.print)
        await page.errors()
        #expect(console.lines.events.isEmpty)
        let port = try LoopbackServer.unusedPort()
        let nobody = HTTPSessionManager(baseURL: URL(string: "http://127.0.0.1:\(port)"))
        await ComingFromAFNetworking(manager: nobody, print: console.print).errors()
        #expect(console.lines.events == ["try again later"])
    }

    // MARK: The other pages

    @Test func sessionExamplesLoad() async throws {
        let page = ComingFromURLSession(url: try console.url("/pages"), print: console.print)
        try await page.data()
        try await page.lines()
        try await page.resumed(.shared)
        #expect(console.lines.events == ["8 200", "one", "two", "8"])
        try await page.metrics()
        #expect(console.lines.events.last == "8")
        let configuration = ComingFromURLSession.configuration(
            URL(fileURLWithPath: folder.path("cache"))
        )
        #expect(configuration.httpMaximumConnectionsPerHost == 32)
        let cookies = try ComingFromURLSession.cookies(
            URL(fileURLWithPath: folder.path("cookies"))
        )
        #expect(cookies.httpCookieStorage?.cookies?.isEmpty == true)
        let session = try Differences.session(URL(fileURLWithPath: folder.path("session")))
        #expect(session.configuration.timeoutIntervalForConnection == 3)
        session.invalidateAndCancel()
    }

    @Test func queueExamplesUseTheirQueues() async throws {
        let page = QueuesAndOrder(manager: try console.manager(), print: console.print)
        page.completionQueue()
        try await console.wait(for: "Grace")
        page.progress()
        try await console.wait(for: "it is there")
        try await page.tasks()
        page.group()
        try await console.wait(for: "all are there")
        page.serializer(URLRequest(url: try console.url("/pages")))
        try await console.wait(for: "one\ntwo")
    }

    @Test func formAndFileExamplesUpload() async throws {
        let page = Uploading(manager: try console.manager(), print: console.print)
        let photo = try file()
        try await page.form(photo, Data("notes".utf8))
        try await page.stream(photo, 7)
        try await page.throttled(photo)
        try await page.written(console.server.url + "/photos", photo, try file("form", ""))
        var request = URLRequest(url: try console.url("/films"))
        request.httpMethod = "PUT"
        try await page.file(request, photo)
        try await page.resumed(.shared, request, photo)
        let bodies = console.server.requests
        #expect(bodies.count == 6)
        #expect(bodies.prefix(4).allSatisfy { $0.bodyText.contains("picture") })
        #expect(bodies.suffix(2).allSatisfy { $0.bodyText == "picture" })
    }

    @Test(.enabled(if: NginxPeer.isAvailable && Certificates.isAvailable))
    func policyExamplesApply() async throws {
        let peer = try await NginxPeer.shared()
        let manager = HTTPSessionManager(baseURL: URL(string: peer.url(.https, "")))
        await Trust(print: console.print).failure(manager)
        #expect(console.lines.events.first?.contains("authority") == true)
        let authority = try String(contentsOfFile: peer.certificates.authority, encoding: .utf8)
        _ = try folder.write(authority, to: "authority.pem")
        try Trust.pins(manager, URL(fileURLWithPath: folder.path("")))
        let pinned = manager.securityPolicy
        #expect(pinned.pinnedCertificates?.count == 1)
        #expect(try Trust.settings(pinned).settings == pinned.settings)
        Trust.perHost(manager, pinned)
        let policies = manager.securityPolicy as? PerHostSecurityPolicy
        #expect(policies?.policy(forHost: "api.example.com") === pinned)
        Trust.identity(manager, SecIdentity(pemCertificate: Data(), key: Data()))
        #expect(Trust.client().tlsConfiguration.clientIdentity != nil)
        let url = try #require(manager.baseURL)
        #expect(Trust.roots(url).session.configuration.tlsConfiguration.trustRoots != .system)
    }

    @Test func retryExamplesRetryFailures() async throws {
        let attempts = Atomic(0)
        let server = try LoopbackServer { request in
            switch attempts.add(1, ordering: .relaxed).newValue {
            case 1: .status(409)
            case 2: .status(503)
            default: .text(request.header("Authorization") ?? "nobody")
            }
        }
        let manager = try console.manager()
        manager.responseSerializer = StringResponseSerializer()
        let page = Retrying(manager: manager, print: console.print)
        Services(print: console.print).monitor(manager)
        page.policy()
        let policy = try #require(manager.interceptor)
        page.once()
        let once = try #require(manager.interceptor)
        manager.interceptor = Interceptor(interceptors: [policy, once])
        let url = try #require(URL(string: server.url))
        page.task(URLRequest(url: url))
        try await console.wait(for: "nobody")
        page.both { "secret" }
        page.task(URLRequest(url: url))
        try await console.wait(for: "Bearer secret")
        try await console.wait(for: "again after")
        #expect(attempts.load(ordering: .relaxed) == 4)
    }

    @Test func serviceExamplesShutDown() async throws {
        let page = Services(print: console.print)
        let manager = Services.manager(try console.url())
        page.observe(manager)
        page.inFlight(manager)
        try await manager.get("users")
        try await console.wait(for: "/users new")
        await page.shutDown(manager)
        #expect(console.lines.events.first == "0 requests in flight")
        #expect(console.lines.events.last == "shut down")
        await #expect(throws: URLError.self) { try await manager.get("users") }
    }

    @Test func examplesWaitForAllTasks() async throws {
        let manager = try console.manager()
        let page = Services(print: console.print)
        for number in 1...3 {
            manager.get("users", parameters: ["page": number]) { [console] _, _ in
                console.print("seen")
            } failure: { [console] _, error in
                console.print(error)
            }
        }
        try await page.all(manager)
        #expect(console.lines.events == ["seen", "seen", "seen"])
    }

    @Test func responseExamplesHaveAllValues() async throws {
        await Services(print: console.print).answer(try console.manager())
        #expect(console.lines.events.first == "404, 6 bytes")
        #expect(console.lines.events.last?.contains("404") == true)
    }

    @Test func requestExamplesAreDescribed() async throws {
        var request = URLRequest(url: try console.url("/users"))
        request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        Services(print: console.print).command(try console.manager(), request)
        let lines = console.lines.events
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("curl ") })
        #expect(lines.map { $0.contains("secret") } == [false, true])
    }

    // MARK: The README

    @Test func readMeExamplesRun() async throws {
        let saved = folder.path("saved")
        try await GettingStartedRequests(print: console.print)
            .use(console.server.url + "/pages", saved, "token")
        #expect(try String(contentsOfFile: saved, encoding: .utf8) == "one\ntwo\n")
        let pages = try console.url("/pages")
        let client = try HTTPClient()
        await GettingStartedManyRequests(print: console.print).use(client, [pages.absoluteString])
        #expect(console.lines.events.last == "8 bytes")
        await client.shutdown()
        try await ReadmeGet(print: console.print).use(pages.absoluteString)
        #expect(console.lines.events.last == "200 8")
        try await ReadmeURLSession(print: console.print).use(pages, pages)
        try await ReadmeManager(print: console.print).use(try console.url(), try file())
        try await ManagerPage(print: console.print).use(try console.url())
        let list = try folder.write(pages.absoluteString + "\nno URL\n", to: "list")
        try await ReadmeBatch(print: console.print).use(list, folder.path("pages"))
        #expect(console.lines.events.last == "1 fetched, 1 failed")
    }

    // MARK: The contributing guide

    @Test("Given the guide's right forms, when values change, then none is lost or leaked")
    func contributingExamplesKeepAndReleaseValues() {
        var request = Contributing.Request()
        for field in ["a", "b"] { request.set(field) }
        #expect(request.fields?.list == ["a", "b"])
        var state = Contributing.TaskState(load: Contributing.Load())
        weak var former: Contributing.Response?
        do {
            let response = Contributing.Response()
            former = response
            state.receive(response)
        }
        #expect(former != nil)
        state.receive(Contributing.Response())
        #expect(former == nil)
    }
}
