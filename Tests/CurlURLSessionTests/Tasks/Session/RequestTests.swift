internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests what requests send, and which requests fail before anything is sent.
@Suite(.timeLimit(.minutes(10))) struct RequestTests {
    private func sent(_ configure: (inout URLRequest) -> Void) async throws -> RecordedRequest {
        let server = try LoopbackServer { _ in .text("ok") }
        var request = URLRequest(url: try server.at("/path"))
        configure(&request)
        _ = try await URLSession.test().data(for: request)
        return server.requests[0]
    }

    @Test func methodAndFieldsAreSent() async throws {
        let request = try await sent {
            $0.httpMethod = "PROPFIND"
            $0.setValue("1", forHTTPHeaderField: "Depth")
            $0.addValue("a", forHTTPHeaderField: "X-Many")
            $0.addValue("b", forHTTPHeaderField: "X-Many")
        }
        #expect(request.method == "PROPFIND")
        #expect(request.header("Depth") == "1")
        #expect(request.headers("X-Many") == ["a,b"])
    }

    @Test("C14: A GET request with a body is sent")
    func getRequestCanHaveABody() async throws {
        let request = try await sent { $0.httpBody = Data("query".utf8) }
        #expect(request.method == "GET")
        #expect(request.bodyText == "query")
        #expect(request.header("Content-Length") == "5")
    }

    @Test("C15: A POST request has the configuration's Content-Type, and no other one")
    func configurationsContentTypeIsTheOnlyOne() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let session = URLSession.test { $0.httpAdditionalHeaders = ["content-type": "text/csv"] }
        var request = URLRequest(url: try server.at("/"))
        request.httpMethod = "POST"
        request.httpBody = Data("a,b".utf8)
        _ = try await session.data(for: request)
        #expect(server.requests[0].headers("Content-Type") == ["text/csv"])
    }

    @Test("A relative URL stays in the task's original request, and the absolute one is loaded")
    func relativeURLIsLoadedAsAbsolute() async throws {
        let server = try LoopbackServer { .text($0.target) }
        let base = try server.at("/dir/file")
        let relative = try #require(URL(string: "b?c", relativeTo: base))
        var request = URLRequest(url: base)
        request.url = relative
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.dataTask(with: request)
        task.resume()
        try await delegate.completion()
        #expect(delegate.text == "/dir/b?c")
        #expect(task.originalRequest?.url == relative)
        #expect(task.currentRequest?.url == relative.absoluteURL)
        #expect(task.response?.url == relative.absoluteURL)
        session.invalidateAndCancel()
    }

    @Test func wrongContentLengthIsNotSent() async throws {
        let request = try await sent {
            $0.httpMethod = "POST"
            $0.httpBody = Data("abc".utf8)
            $0.setValue("17", forHTTPHeaderField: "Content-Length")
        }
        #expect(request.header("Content-Length") == "3")
        #expect(request.bodyText == "abc")
    }

    @Test func configurationsFieldsAreSent() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let session = URLSession.test {
            $0.httpAdditionalHeaders = ["X-All": "all", "X-One": "none"]
        }
        var request = URLRequest(url: try server.at("/"))
        request.setValue("one", forHTTPHeaderField: "X-One")
        _ = try await session.data(for: request)
        #expect(server.requests[0].header("X-All") == "all")
        #expect(server.requests[0].headers("X-One") == ["one"])
    }

    @Test("Requests have the program's name as User-Agent, and the locale's language")
    func programAndLanguageAreSent() async throws {
        let request = try await sent { _ in }
        let name = ProcessInfo.processInfo.processName
        let agents = request.headers("User-Agent")
        #expect(agents.count == 1)
        #expect(agents.first?.hasPrefix("\(name) (unknown version) CurlNetworking/") == true)
        let language = Locale.current.language.languageCode?.identifier
        #expect(request.header("Accept-Language") == language)
    }

    @Test("User-Agent and Accept-Language of the request or the configuration replace the defaults")
    func ownAgentAndLanguageAreSent() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let session = URLSession.test {
            $0.httpAdditionalHeaders = ["user-agent": "all/1", "accept-language": "fi"]
        }
        var request = URLRequest(url: try server.at("/"))
        _ = try await session.data(for: request)
        request.setValue("one/1", forHTTPHeaderField: "User-Agent")
        request.setValue("", forHTTPHeaderField: "Accept-Language")
        _ = try await session.data(for: request)
        #expect(server.requests.map { $0.headers("User-Agent") } == [["all/1"], ["one/1"]])
        #expect(server.requests.map { $0.headers("Accept-Language") } == [["fi"], [""]])
    }

    @Test func urlUserIsNotSentPreemptively() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let url = try #require(URL(string: "http://user:secret@127.0.0.1:\(server.port)/"))
        _ = try await URLSession.test().data(from: url)
        #expect(server.requests[0].header("Authorization") == nil)
    }

    @Test(
        "A request that can't be sent is an error",
        arguments: [
            ("ftp://127.0.0.1/", URLError.Code.unsupportedURL),
            ("gopher://127.0.0.1/", .unsupportedURL),
            ("relative", .unsupportedURL),
            ("//127.0.0.1/path", .unsupportedURL),
            ("http:///path", .badURL),
        ]
    )
    func unsendableRequestIsAnError(_ text: String, _ code: URLError.Code) async throws {
        let url = try #require(URL(string: text))
        let error = try await urlError { _ = try await URLSession.test().data(from: url) }
        #expect(error.code == code, "\(error)")
    }

    @Test("A request without a URL ends with the error of an unsupported URL")
    func requestWithoutAURLIsAnError() async throws {
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1/")))
        request.url = nil
        let missing = request
        let error = try await urlError { _ = try await URLSession.test().data(for: missing) }
        #expect(error.code == .unsupportedURL)
    }

    @Test(arguments: ["a\r\nX-Smuggled: 1", "a\nb", "a\u{0}b"])
    func fieldWithALineEndFailsBeforeSending(_ value: String) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        var request = URLRequest(url: try server.at("/"))
        request.allHTTPHeaderFields = ["X-Field": value]
        let bad = request
        let error = try await urlError { _ = try await URLSession.test().data(for: bad) }
        #expect(error.code == .badURL)
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test("A value with a line end or a NUL isn't set, and the request is sent without it")
    func valueWithALineEndIsNotSent() async throws {
        let request = try await sent {
            $0.setValue("kept", forHTTPHeaderField: "X-Old")
            for value in ["a\r\nX-Smuggled: 1", "a\nb", "a\rb", "a\u{0}b", "a\r\n"] {
                $0.setValue(value, forHTTPHeaderField: "X-Old")
                $0.addValue(value, forHTTPHeaderField: "X-Old")
                $0.setValue(value, forHTTPHeaderField: "X-New")
                $0.addValue(value, forHTTPHeaderField: "X-New")
            }
        }
        #expect(request.headers("X-Old") == ["kept"])
        #expect(request.header("X-New") == nil)
        #expect(request.header("X-Smuggled") == nil)
    }

    @Test("A folded value is sent in one line", arguments: ["a \r\n\t b", "\r\n a\r\n b\r\n  "])
    func foldedValueIsSentInOneLine(_ value: String) async throws {
        let request = try await sent { $0.setValue(value, forHTTPHeaderField: "X-Field") }
        #expect(request.headers("X-Field") == ["a b"])
    }

    @Test(arguments: ["BAD METHOD", "G\r\nT", ""])
    func invalidMethodIsAnError(_ method: String) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        var request = URLRequest(url: try server.at("/"))
        request.httpMethod = method
        let bad = request
        let error = try await urlError { _ = try await URLSession.test().data(for: bad) }
        #expect(error.code == .badURL)
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test(
        "A GET that is lost on a reused connection is retried, and a POST isn't",
        arguments: [Step.close, .reset],
        ["GET", "POST"]
    )
    func lostRequestIsRetriedOnlyIfIdempotent(end: Step, method: String) async throws {
        let server = try LoopbackServer.losingSecondRequest(by: end)
        let session = URLSession.test()
        _ = try await session.data(from: server.at("/first"))
        var request = URLRequest(url: try server.at("/lost"))
        request.httpMethod = method
        if method == "POST" { request.httpBody = Data("body".utf8) }
        let lost = request
        if method == "GET" {
            let (data, _) = try await session.data(for: lost)
            #expect(data == Data("ok".utf8))
        } else {
            let error = try await urlError { _ = try await session.data(for: lost) }
            #expect(error.code == .networkConnectionLost)
        }
        let connections = server.requests.filter { $0.path == "/lost" }.map(\.connection)
        #expect(connections == (method == "GET" ? [0, 1] : [0]))
        session.invalidateAndCancel()
    }

    @Test("C1: A request's timeout keeps its fractions of a second", arguments: [0.2, 0.9])
    func requestTimeoutKeepsFractions(_ limit: TimeInterval) async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        var request = URLRequest(url: try server.at("/"))
        request.timeoutInterval = limit
        let limited = request
        let clock = ContinuousClock()
        let start = clock.now
        let error = try await urlError { _ = try await URLSession.test().data(for: limited) }
        #expect(error.code == .timedOut)
        #expect(clock.now - start >= .seconds(limit))
    }

    @Test("C2: The resource timeout applies while data keeps arriving")
    func resourceTimeoutAppliesWhileDataArrives() async throws {
        let server = try LoopbackServer.scripted(
            [.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")]
                + (0..<3000).flatMap { _ in [Step.send("x"), .after(.milliseconds(20))] }
        )
        let session = URLSession.test { $0.timeoutIntervalForResource = 0.7 }
        let error = try await urlError { _ = try await session.data(from: server.at("/")) }
        #expect(error.code == .timedOut)
    }

    @Test("C2: The resource timeout includes redirects")
    func resourceTimeoutIncludesRedirects() async throws {
        let server = try LoopbackServer { request in
            .redirect(to: "/" + String(Int.random(in: 0..<1000))).after(.milliseconds(150))
        }
        let session = URLSession.test { $0.timeoutIntervalForResource = 0.7 }
        let error = try await urlError { _ = try await session.data(from: server.at("/")) }
        #expect(error.code == .timedOut)
        #expect(server.requestCount < 15)
    }
}
