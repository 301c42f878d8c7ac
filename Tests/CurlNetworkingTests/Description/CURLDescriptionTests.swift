internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Runs curl commands and compares their requests with those of the manager.
@Suite(.timeLimit(.minutes(10))) struct CURLDescriptionTests {
    /// The parts of a received request that are compared.
    private struct Delivered: Equatable {
        let line: String
        let headers: [String]
        let body: [UInt8]

        init(_ request: RecordedRequest) {
            line = "\(request.method) \(request.target) \(request.version)"
            headers = request.headerLines.map { line in
                let name = line.prefix { $0 != ":" }
                return name.lowercased() + line.dropFirst(name.count)
            }.sorted()
            body = request.body
        }
    }

    /// Runs a command in the system's shell.
    private func run(_ command: String) throws {
        let (status, output) = try ChildProcess.run(["/bin/sh", "-c", command])
        #expect(status == 0, "\(command)\n\(output)")
    }

    /// Compares the request of a command with the request of a task.
    private func expectSame(
        _ server: LoopbackServer,
        _ command: String,
        _ send: () async throws -> Void
    ) async throws {
        let count = server.requestCount
        try await send()
        try run(command)
        let sent = try await server.request(count)
        let delivered = try await server.request(count + 1)
        #expect(Delivered(sent) == Delivered(delivered), "\(command)")
    }

    private static let all = CURLDescriptionOptions(includesSecrets: true)

    private static let hasCurl = Executable.path("curl") != nil

    @Test("A-35: A curl command sends the same request as the manager", .enabled(if: hasCurl))
    func theCommandSendsTheSame() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test { configuration in
            configuration.httpAdditionalHeaders = ["X-Session": "it's \"quoted\" $HOME `x` \\ !"]
            configuration.httpCookieStorage?.cookieAcceptPolicy = .always
        }
        let url = try #require(URL(string: server.url))
        let cookie = HTTPCookie.cookies(
            withResponseHeaderFields: ["Set-Cookie": "a=b c'd"],
            for: url
        )
        manager.session.configuration.httpCookieStorage?.setCookies(
            cookie,
            for: url,
            mainDocumentURL: nil
        )
        var requests: [URLRequest] = []
        requests.append(try server.request("/plain?q=%5Bx%5D&r={1,2}&s=[1-3]".encoded))
        requests.append(try server.request("/head", method: "HEAD"))
        requests.append(try server.request("/gone", method: "DELETE"))
        requests.append(try server.request("/own", method: "PURGE"))
        requests.append(try server.request("/nothing", method: "POST"))
        for body in [
            "a=1&b=2", "it's\n\t\"text\" → $(x) 100%", "@file", "", "line\r\nend",
            String(repeating: "long ", count: 12_000), "O'\u{301}, it's\u{fe0f} '\u{200d}",
            "@\u{301}file", "--boundary\r\nA: b\r\n\r\n", "-",
        ] {
            requests.append(try server.request("/text", method: "POST", body: Data(body.utf8)))
        }
        let bytes = Data((0...255).map { UInt8($0) } + [0, 0, 39, 37, 92])
        requests.append(try server.request("/bytes", method: "PUT", body: bytes))
        requests.append(try server.request("/get", body: Data("body".utf8)))
        var fields = try server.request("/fields", method: "PATCH", body: Data("{}".utf8))
        fields.setValue("application/json", forHTTPHeaderField: "Content-Type")
        fields.setValue("", forHTTPHeaderField: "X-Empty")
        fields.setValue("mine", forHTTPHeaderField: "User-Agent")
        fields.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        fields.setValue("text/plain", forHTTPHeaderField: "Accept")
        requests.append(fields)
        for request in requests {
            try await expectSame(server, manager.cURLDescription(of: request, options: Self.all)) {
                _ = try await manager.object(for: request)
            }
        }
    }

    @Test("A-35: A task's curl command sends the task's body", .enabled(if: hasCurl))
    func theCommandForATaskSendsItsBody() async throws {
        let folder = try TemporaryDirectory()
        let file = URL(fileURLWithPath: try folder.write("from a file", to: "it's a file"))
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let request = try server.request("/", method: "POST")
        for isFile in [true, false] {
            let completions = EventRecorder<Completion>()
            let task =
                isFile
                ? manager.uploadTask(
                    with: request,
                    fromFile: file,
                    completionHandler: completions.handler
                )
                : manager.uploadTask(
                    with: request,
                    from: Data("bytes".utf8),
                    completionHandler: completions.handler
                )
            try await expectSame(server, manager.cURLDescription(of: task)) {
                task.resume()
                _ = try await completions.only()
            }
        }
    }

    @Test("A-35: A curl command with credentials answers a challenge", .enabled(if: hasCurl))
    func credentialsAnswerAChallenge() async throws {
        let server = try LoopbackServer { request in
            request.header("Authorization") == nil
                ? Reply(401, headers: [("WWW-Authenticate", "Basic realm=\"r\"")]) : .text("hello")
        }
        let manager = URLSessionManager.test()
        let text = server.url.replacing("http://", with: "http://user:it's%20a%20pass@")
        let request = URLRequest(url: try #require(URL(string: text)))
        let command = manager.cURLDescription(of: request, options: Self.all)
        _ = try await manager.object(for: request)
        let count = server.requestCount
        try run(command)
        let sent = try await server.request(count - 1)
        let delivered = try await server.request(server.requestCount - 1)
        #expect(sent.header("Authorization") != nil)
        #expect(sent.header("Authorization") == delivered.header("Authorization"))
        #expect(!command.contains("@127"))
    }

    @Test("A-35: A curl command contains no secrets by default")
    func secretsAreLeftOut() throws {
        var request = URLRequest(url: try #require(URL(string: "http://u:secret1@127.0.0.1/")))
        request.setValue("secret2", forHTTPHeaderField: "X-API-Key")
        request.setValue("shown", forHTTPHeaderField: "X-Other")
        let manager = URLSessionManager.test { configuration in
            configuration.connectionProxyDictionary = [
                kCFNetworkProxiesHTTPEnable: 1, kCFNetworkProxiesHTTPProxy: "::1",
                kCFNetworkProxiesHTTPPort: 3128, kCFProxyUsernameKey: "p",
                kCFProxyPasswordKey: "secret3",
                kCFNetworkProxiesExceptionsList: ["a.test", "b.test"],
            ]
        }
        let all = manager.cURLDescription(of: request, options: Self.all)
        for secret in ["-u 'u:secret1'", "secret2", "--proxy-user 'p:secret3'"] {
            #expect(all.contains(secret), "\(all)")
        }
        #expect(all.contains("--proxy 'http://[::1]:3128'"))
        #expect(all.contains("--noproxy 'a.test,b.test'"))
        let some = manager.cURLDescription(of: request)
        #expect(!some.contains("secret"))
        #expect(some.contains("-u 'u:***'"))
        #expect(some.contains("X-Other: shown"))
        #expect(some.contains("--proxy-user 'p:***'"))
    }

    @Test("A-35: A curl command names streamed and large bodies by placeholders")
    func versionsAndLargeBodiesAreNamed() throws {
        let url = try #require(URL(string: "https://example.test/"))
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data(repeating: 7, count: 70_000)
        #expect(request.cURLDescription().contains("--data-binary '@body-of-70000-bytes'"))
        request.httpBodyStream = InputStream(data: Data())
        #expect(request.cURLDescription().contains("--data-binary '@-'"))
        #expect(request.cURLDescription().contains("Transfer-Encoding: chunked"))
        let response = DataResponse<Void, any Error>(
            request: request,
            response: nil,
            data: nil,
            metrics: nil,
            serializationDuration: .zero,
            result: .success(())
        )
        #expect(response.cURLDescription() == request.cURLDescription())
        request.url = nil
        #expect(request.cURLDescription().isEmpty)
    }

    @Test("A-35: Secrets are recognised by name, whatever the case and the escapes")
    func secretsAreKnownByTheirNames() throws {
        let text = "https://example.test/p?a=1&Api%5FKey=hide%201&my=hide2&token&b==&=c&#token=2"
        var request = URLRequest(url: try #require(URL(string: text)))
        request.setValue("hide3", forHTTPHeaderField: "X-My-Token")
        request.setValue("hide4", forHTTPHeaderField: "X-My-Other")
        var options = CURLDescriptionOptions(
            secretHeaders: ["X-My-Token"],
            secretQueryItems: ["API_KEY", "My"]
        )
        #expect(options.secretHeaders == ["x-my-token"])
        let some = request.cURLDescription(options: options)
        #expect(
            some.contains("'https://example.test/p?a=1&Api%5FKey=***&my=***&token&b==&=c&#token=2'")
        )
        #expect(some.contains("X-My-Token: ***"))
        #expect(some.contains("X-My-Other: hide4"))
        options.secretHeaders = ["X-My-OTHER"]
        options.secretQueryItems = ["A"]
        let others = request.cURLDescription(options: options)
        #expect(others.contains("p?a=***&Api%5FKey=hide%201"))
        #expect(others.contains("X-My-Token: hide3"))
        #expect(others.contains("X-My-Other: ***"))
        options.includesSecrets = true
        #expect(request.cURLDescription(options: options).contains(text))
    }

    @Test(
        "A-35: Secrets in a URL's fragment are recognised, too",
        arguments: [
            ("#token=1", "#token=***"), ("#a=1&token=2&b=3", "#a=1&token=***&b=3"),
            ("#/page?token=1&a=2", "#/page?token=***&a=2"), ("?a=1?token=2", "?a=1?token=***"),
            ("?key=1#sig=2#token=3", "?key=***#sig=***#token=***"), ("#plain", "#plain"),
            ("?", "?"), ("#", "#"), ("", ""),
        ]
    )
    func secretsInFragments(_ text: String, _ shown: String) throws {
        let query = SecretQuery(CURLDescriptionOptions.usualSecretQueryItems, hidden: "***")
        let url = "https://example.test/p"
        #expect(query.hide(in: url + text) == url + shown)
        let request = URLRequest(url: try #require(URL(string: url + "#access_token=s3cret")))
        #expect(!request.cURLDescription().contains("s3cret"))
    }

    @Test("A-35: A quoted word stays one word of the shell, even with combining characters")
    func quotedWordCannotBeBrokenOutOf() throws {
        let folder = try TemporaryDirectory()
        let mark = folder.path("mark")
        for scalar in ["\u{301}", "\u{fe0f}", "\u{200d}", "\u{20dd}", ""] {
            let text = "{\"n\":\"O'\(scalar); touch \(mark); #\"}"
            let word = ShellWord.quoted(text)
            let (status, output) = try ChildProcess.run(["/bin/sh", "-c", "printf %s \(word)"])
            #expect(status == 0)
            #expect(Array(output.utf8) == Array(text.utf8))
            var request = URLRequest(url: try #require(URL(string: "https://example.test/")))
            request.httpMethod = "POST"
            request.httpBody = Data(text.utf8)
            // The body is the last argument before the URL.
            let curl = "curl() { while [ $# -gt 2 ]; do shift; done; printf %s \"$1\"; }\n"
            let run = try ChildProcess.run(["/bin/sh", "-c", curl + request.cURLDescription()])
            #expect(run.status == 0)
            #expect(Array(run.output.utf8) == Array(text.utf8))
        }
        #expect(try folder.contents() == [])
        var request = URLRequest(url: try #require(URL(string: "https://example.test/")))
        request.httpBody = Data("@\u{301}etc".utf8)
        #expect(request.cURLDescription().hasPrefix("printf "))
    }

    @Test("A-35: A body that looks like an option of the shell's printf is printed")
    func bytesThatLookLikeAnOptionAreWritten() throws {
        for text in ["--boundary\r\n", "-n", "-- '%d' -\u{1}"] {
            let command = "printf " + ShellWord.format(Array(text.utf8))
            let (status, output) = try ChildProcess.run(["/bin/sh", "-c", command])
            #expect(status == 0)
            #expect(Array(output.utf8) == Array(text.utf8))
        }
    }

    @Test("A-35: Words are quoted for the shell")
    func wordsAreQuoted() {
        #expect(ShellWord.quoted("it's") == #"'it'\''s'"#)
        #expect(ShellWord.quoted("") == "''")
        #expect(ShellWord.format([0, 37, 39, 65, 92, 255]) == #"'\000%%\047A\134\377'"#)
    }
}

extension String {
    /// Percent-encoded for a URL; existing escapes stay.
    fileprivate var encoded: String {
        addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed.union(["%"])) ?? self
    }
}
