internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct RedirectionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let status: Int
        let method: String

        var testDescription: String { "\(status) \(method)" }

        var next: String {
            switch status {
            case 303: method == "HEAD" ? "HEAD" : "GET"
            case 301, 302: method == "POST" ? "GET" : method
            default: method
            }
        }
        var hasBody: Bool { !["GET", "HEAD"].contains(method) }
        var keepsBody: Bool { hasBody && next == method }
    }

    static let cases = [301, 302, 303, 307, 308].flatMap { status in
        ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].map { Case(status: status, method: $0) }
    }

    @Test("C5: The status decides whether a redirect keeps method and body", arguments: cases)
    func statusDecidesAboutMethodAndBody(_ example: Case) async throws {
        let server = try LoopbackServer { request in
            request.path == "/end" ? .text("end") : .redirect(example.status, to: "/end")
        }
        var request = URLRequest(url: try server.at("/start"))
        request.httpMethod = example.method
        request.setValue("c/d", forHTTPHeaderField: "Accept")
        if example.hasBody {
            request.httpBody = Data("content".utf8)
            request.setValue("a/b", forHTTPHeaderField: "Content-Type")
        }
        let (data, response) = try await URLSession.test().data(for: request)
        let second = server.requests[1]
        #expect(second.method == example.next)
        #expect(second.bodyText == (example.keepsBody ? "content" : ""))
        #expect(second.header("Content-Type") == (example.keepsBody ? "a/b" : nil))
        #expect(second.header("Accept") == "c/d")
        #expect(data.count == (example.next == "HEAD" ? 0 : 3))
        #expect(response.url?.path == "/end")
        // The connection is reused.
        #expect(server.acceptedConnectionCount == 1)
    }

    @Test("C5: Redirected uploads send their bodies again", arguments: ["data", "file", "large"])
    func redirectedUploadsAreSentAgain(_ kind: String) async throws {
        let server = try LoopbackServer { request in
            request.path == "/end" ? .text("\(request.bodyByteCount)") : .redirect(308, to: "/end")
        }
        let folder = try TemporaryDirectory()
        let file = URL(fileURLWithPath: try folder.write("content", to: "body"))
        var request = URLRequest(url: try server.at("/start"))
        request.httpMethod = "PUT"
        let session = URLSession.test()
        let (data, _) =
            switch kind {
            case "data": try await session.upload(for: request, from: Data("content".utf8))
            case "file": try await session.upload(for: request, fromFile: file)
            default: try await session.upload(for: request, from: Data(count: 3_000_000))
            }
        #expect(String(decoding: data, as: UTF8.self) == (kind == "large" ? "3000000" : "7"))
        #expect(server.requests.map(\.isComplete) == [true, true])
    }

    /// A fragment is never sent. Some servers use it to pass data to the client only.
    @Test(arguments: [
        ("/end#part", "part"), ("/end#a=b&c=%20#", "a=b&c=%20%23"), ("/end#", ""),
        ("/end", "first"),
    ])
    func fragmentComesFromTheLocation(_ location: String, _ fragment: String) async throws {
        let server = try LoopbackServer { request in
            request.path == "/end" ? .text("end") : .redirect(to: location)
        }
        let seen = Watched<[String?]>([])
        let delegate = SessionDelegate { answers in
            answers.redirect = { _, request, follow in
                seen.update { $0.append(request.url?.fragment(percentEncoded: true)) }
                follow(request)
            }
        }
        let session = URLSession.test(delegate: delegate)
        let (_, response) = try await session.data(from: server.at("/start#first"))
        #expect(response.url?.fragment(percentEncoded: true) == fragment)
        #expect(seen.read { $0 } == [fragment])
        #expect(server.requests.map(\.target) == ["/start", "/end"])
        session.invalidateAndCancel()
    }

    @Test(
        "C6: A relative Location is resolved against the request's URL",
        arguments: [
            ("leaf", "/dir/sub/leaf"), ("/root", "/root"), ("../up", "/dir/up"),
            ("?q", "/dir/sub/x?q"),
            ("./a/./b", "/dir/sub/a/b"), ("leaf#part", "/dir/sub/leaf"),
        ]
    )
    func aRelativeLocationIsResolved(_ location: String, _ target: String) async throws {
        let server = try LoopbackServer { request in
            request.target == "/dir/sub/x" ? .redirect(to: location) : .text("end")
        }
        _ = try await URLSession.test().data(from: server.at("/dir/sub/x"))
        #expect(server.requests[1].target == target)
    }

    @Test(
        "C7: If a Location can't be followed, the redirect is the response",
        arguments: ["http://[bad/", "", "http://\(String(repeating: "a", count: 254))/"]
    )
    func unfollowableRedirectIsTheResponse(_ location: String) async throws {
        let server = try LoopbackServer { _ in
            Reply(302, headers: [("Location", location)], body: .bytes(Array("moved".utf8)))
        }
        let delegate = SessionDelegate()
        let (data, response) = try await URLSession.test()
            .data(from: server.at("/"), delegate: delegate)
        #expect((response as? HTTPURLResponse)?.statusCode == 302)
        #expect(String(decoding: data, as: UTF8.self) == "moved")
        #expect(delegate.milestones == [.response(302), .metrics(transactions: 1)])
    }

    @Test(
        "A11: A malformed Location doesn't crash",
        arguments: ["http://%zz/", "//", "http://a b/", "%", "http://:x/"]
    )
    func noLocationTraps(_ location: String) async throws {
        let server = try LoopbackServer { request in
            request.path == "/start" ? .redirect(to: location) : .text("end")
        }
        let configuration = URLSession.test { $0.timeoutIntervalForResource = 20 }
        // Any outcome but a crash is fine.
        _ = try? await configuration.data(from: server.at("/start"))
        #expect(server.requestCount >= 1)
    }

    @Test("D1: A redirect to another origin is followed without credentials")
    func credentialsDoNotGoToAnotherOrigin() async throws {
        let other = try LoopbackServer { _ in .text("other") }
        let server = try LoopbackServer { _ in .redirect(to: other.url + "/") }
        let session = URLSession.test {
            $0.httpAdditionalHeaders = ["Proxy-Authorization": "secret", "X-Plain": "1"]
        }
        var request = URLRequest(url: try server.at("/"))
        request.setValue("Bearer SECRET", forHTTPHeaderField: "Authorization")
        request.setValue("a=b", forHTTPHeaderField: "Cookie")
        request.setValue("here", forHTTPHeaderField: "X-Mine")
        _ = try await session.data(for: request)
        #expect(server.requests[0].header("Authorization") == "Bearer SECRET")
        #expect(server.requests[0].header("Proxy-Authorization") == "secret")
        let second = other.requests[0]
        #expect(second.header("Authorization") == nil)
        #expect(second.header("Cookie") == nil)
        #expect(second.header("Proxy-Authorization") == nil)
        #expect(second.header("X-Mine") == "here")
        #expect(second.header("X-Plain") == "1")
    }

    @Test func credentialsStayWithinAnOrigin() async throws {
        let server = try LoopbackServer { request in
            request.path == "/end" ? .text("end") : .redirect(to: "/end")
        }
        var request = URLRequest(url: try server.at("/"))
        request.setValue("Bearer SECRET", forHTTPHeaderField: "Authorization")
        _ = try await URLSession.test().data(for: request)
        #expect(server.requests[1].header("Authorization") == "Bearer SECRET")
    }

    @Test func redirectsCookiesAreSentToItsTarget() async throws {
        let server = try LoopbackServer { request in
            request.path == "/end"
                ? .text("end").header("Set-Cookie", "c=3")
                : .redirect(to: "/end").header("Set-Cookie", "a=1").header("Set-Cookie", "b=2")
        }
        let session = URLSession.test()
        _ = try await session.data(from: server.at("/start"))
        #expect(server.requests[1].header("Cookie") == "a=1; b=2")
        // The response's cookies are stored before the response is delivered.
        let url = try server.at("/")
        let stored = session.configuration.httpCookieStorage?.cookies(for: url)
        #expect(stored?.map(\.name).sorted() == ["a", "b", "c"])
    }

    @Test func refusedRedirectIsTheResponse() async throws {
        let server = try LoopbackServer { _ in
            Reply(
                302,
                headers: [("Location", "/end")],
                body: .bytes([UInt8](repeating: 1, count: 300_000))
            )
        }
        let delegate = SessionDelegate { $0.redirect = { $2(nil) } }
        let session = URLSession.test(delegate: delegate)
        session.dataTask(with: try server.at("/")).resume()
        try await delegate.completion()
        #expect(
            delegate.milestones == [
                .redirect(302, to: "/end"), .response(302), .metrics(transactions: 1),
                .completed(nil),
            ]
        )
        #expect(delegate.data.count == 300_000)
        #expect(server.requestCount == 1)
        session.invalidateAndCancel()
    }

    @Test func delegateCanChangeARedirect() async throws {
        let server = try LoopbackServer { request in
            request.path == "/start"
                ? .redirect(to: "/end").header("X-From", "start") : .text(request.target)
        }
        let seen = Watched<HTTPURLResponse?>(nil)
        let delegate = SessionDelegate { answers in
            answers.redirect = { response, request, completion in
                seen.update { $0 = response }
                var changed = request
                changed.url = URL(string: "/changed", relativeTo: request.url)
                changed.setValue("1", forHTTPHeaderField: "X-Changed")
                completion(changed)
                completion(nil)
            }
        }
        let session = URLSession.test()
        let (data, response) = try await session.data(from: server.at("/start"), delegate: delegate)
        #expect(String(decoding: data, as: UTF8.self) == "/changed")
        #expect(response.url?.path == "/changed")
        #expect(server.requests[1].header("X-Changed") == "1")
        #expect(seen.read { $0?.value(forHTTPHeaderField: "X-From") } == "start")
        #expect(seen.read { $0?.url?.path } == "/start")
    }

    @Test func redirectAnswerCanComeLater() async throws {
        let server = try LoopbackServer { request in
            request.path == "/end" ? .text("end") : .redirect(to: "/end")
        }
        let answer = Watched<(@Sendable () -> Void)?>(nil)
        let delegate = SessionDelegate { answers in
            answers.redirect = { _, request, completion in
                answer.update { $0 = { completion(request) } }
            }
        }
        let session = URLSession.test(delegate: delegate)
        let task = session.dataTask(with: try server.at("/"))
        task.resume()
        let answered = try await answer.wait { $0 }
        #expect(task.response == nil)
        answered()
        try await delegate.completion()
        #expect(delegate.text == "end")
        session.invalidateAndCancel()
    }

    @Test func unansweredRedirectTimesOut() async throws {
        let server = try LoopbackServer { _ in .redirect(to: "/end") }
        let delegate = SessionDelegate { $0.redirect = { _, _, _ in } }
        let session = URLSession.test(delegate: delegate) { $0.timeoutIntervalForResource = 0.5 }
        session.dataTask(with: try server.at("/")).resume()
        #expect(try await delegate.failure().code == .timedOut)
        session.invalidateAndCancel()
    }

    @Test func taskCanBeCancelledDuringARedirectQuestion() async throws {
        let server = try LoopbackServer { _ in .redirect(to: "/end") }
        let delegate = SessionDelegate { $0.redirect = { _, _, _ in } }
        let session = URLSession.test(delegate: delegate)
        let task = session.dataTask(with: try server.at("/"))
        task.resume()
        try await delegate.event(.redirect(302, to: "/end"))
        task.cancel()
        #expect(try await delegate.failure().code == .cancelled)
        session.invalidateAndCancel()
    }

    @Test(arguments: [true, false])
    func endlessRedirectsAreAnError(_ hasDelegate: Bool) async throws {
        let server = try LoopbackServer { _ in .redirect(to: "/again") }
        let delegate = hasDelegate ? SessionDelegate() : nil
        let error = try await urlError {
            _ = try await URLSession.test().data(from: server.at("/"), delegate: delegate)
        }
        #expect(error.code == .httpTooManyRedirects)
        #expect(server.requestCount == 21)
    }
}
