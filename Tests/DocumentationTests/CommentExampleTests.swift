internal import CurlNetworking
internal import CurlNetworkingXML
internal import CurlTransport
internal import Foundation
internal import FoundationXML
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// The examples of documentation comments do what the comments say.
@Suite(.timeLimit(.minutes(10))) struct CommentExampleTests {
    private let folder: TemporaryDirectory
    private let console: Console

    init() throws {
        folder = try TemporaryDirectory()
        console = try Console()
    }

    private func request(_ path: String) throws -> URLRequest {
        URLRequest(url: try console.url(path))
    }

    private func place(_ name: String) -> URL {
        URL(fileURLWithPath: folder.path(name))
    }

    @Test func transportCommentsSendRequests() async throws {
        let client = try HTTPClient()
        let page = TransportComments(client: client, print: console.print)
        let url = console.server.url + "/pages"
        await page.taskExecutor([url, url])
        try await page.errors(HTTPRequest(url: url))
        #expect(console.lines.events == ["200", "200", "200"])
        await client.shutdown()
        await #expect(throws: TransportError.self) { try await page.errors(HTTPRequest(url: url)) }
    }

    @Test func sessionCommentsLoad() async throws {
        try await SessionComments(print: console.print).data(try console.url("/pages"))
        #expect(console.lines.events == ["200 8"])
        let configuration = URLSessionConfiguration.default
        SessionComments.tlsConfiguration(configuration)
        #expect(configuration.tlsConfiguration.publicKeyPins.count == 1)
    }

    @Test func managerCommentsGetResponses() async throws {
        let page = ManagerComments(manager: try console.manager(), print: console.print)
        page.task(try console.url("/users"))
        try await console.wait(for: "Grace")
        try await page.value()
        #expect(console.lines.events.last == "REPORT")
        try await page.decoded()
        try await page.response(request("/users"))
        #expect(console.lines.events.suffix(3).map { $0.contains("200 ") } == [false, true, false])
        #expect(console.lines.events.last == #"["Grace", "Ada"]"#)
    }

    @Test func managerCommentsTransferFiles() async throws {
        let manager = try console.manager()
        let page = ManagerComments(manager: manager, print: console.print)
        try await page.download(request("/pages"), place(""))
        #expect(console.lines.events == ["pages.txt"])
        var put = try request("/films")
        put.httpMethod = "PUT"
        let task = manager.uploadTask(with: put, from: Data("film".utf8), completionHandler: nil)
        task.resume()
        await page.progress(task)
        try await console.server.requests(count: 2)
        try await page.journal(place("journal"), try console.url("/pages"), place("catalogue"))
        #expect(try folder.read("catalogue").count == 8)
    }

    @Test func managerCommentsDescribe() async throws {
        let page = ManagerComments(manager: try console.manager(), print: console.print)
        page.failure(URLError(.timedOut))
        #expect(console.lines.events == ["retried"])
        var request = try request("/users")
        request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        page.command(request)
        #expect(console.lines.events.last?.contains("secret") == true)
    }

    @Test func streamCommentsRead() async throws {
        let manager = try console.manager()
        let page = StreamComments(manager: manager, print: console.print)
        try await page.lines(request("/pages"))
        try await page.values(manager.stream(urlString: "changes"))
        try await page.events(request("/events"))
        #expect(console.lines.events == ["one", "two", "1 Grace", "2 Ada", "message hello"])
    }

    @Test func policyCommentsApply() async throws {
        let manager = try console.manager()
        let page = PolicyComments(manager: manager)
        page.retryPolicy()
        #expect((manager.interceptor as? RetryPolicy)?.retryLimit == 4)
        let retrying = PolicyComments.interceptor(try console.url())
        #expect(retrying.interceptor is RetryPolicy)
        page.retrier()
        #expect(manager.interceptor is Retrier)
        page.adapter(PolicyComments.Tokens("secret"))
        try await manager.get("users")
        #expect(console.server.requests.last?.header("Authorization") == "Bearer secret")
        try page.pins(place(""))
        let pinned = manager.securityPolicy
        #expect(pinned.sslPinningMode == .publicKey)
        page.perHost(pinned)
        let policies = manager.securityPolicy as? PerHostSecurityPolicy
        #expect(policies?.policy(forHost: "api.example.com") === pinned)
    }

    @Test func codingCommentsCopyManagers() throws {
        let manager = try console.manager()
        let session = try CodingComments.sessionManager(like: manager).session
        #expect(session.configuration.timeoutIntervalForRequest == 300)
        #expect(try CodingComments.httpManager(like: manager).baseURL == manager.baseURL)
        #expect(try CodingComments.query() == "tags%5B%5D=x&term=a%20b")
    }

    @Test func xmlCommentsTakeTheirObjects() throws {
        let data = Data("<a/>".utf8)
        var error: (any Error)?
        let parser = XMLParserResponseSerializer()
            .responseObject(for: nil, data: data, error: &error)
        #expect(CodingComments.parser(parser)?.parse() == true)
        let document = XMLDocumentResponseSerializer()
            .responseObject(for: nil, data: data, error: &error)
        #expect(CodingComments.document(document)?.rootElement()?.name == "a")
        #expect(error == nil)
    }
}
