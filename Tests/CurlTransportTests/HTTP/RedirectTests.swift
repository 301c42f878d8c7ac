internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// Redirects end to end; `RedirectRuleTests` tests the rules.
@Suite(.timeLimit(.minutes(10))) struct RedirectTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let status: Int
        let method: String
        let next: String
        let keepsBody: Bool

        var testDescription: String { "\(status) \(method)" }
    }

    static let cases: [Case] = [301, 302, 303, 307, 308].flatMap { status in
        ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].map { method in
            let next: String
            switch status {
            case 303: next = method == "HEAD" ? "HEAD" : "GET"
            case 301, 302: next = method == "POST" ? "GET" : method
            default: next = method
            }
            let hasBody = !["GET", "HEAD"].contains(method)
            return Case(
                status: status,
                method: method,
                next: next,
                keepsBody: hasBody && next == method
            )
        }
    }

    @Test(arguments: cases)
    func methodChangesByStatus(_ example: Case) async throws {
        let server = try LoopbackServer { request in
            request.path == "/end" ? .text("end") : .redirect(example.status, to: "/end")
        }
        let hasBody = !["GET", "HEAD"].contains(example.method)
        let delegate = try await Rig().fetch(
            server.url + "/start",
            method: try #require(HTTPRequest.Method(rawValue: example.method)),
            fields: hasBody ? [.contentType: "a/b", .accept: "c/d"] : [.accept: "c/d"],
            body: hasBody ? .text("content") : .none
        )
        let request = server.requests[1]
        #expect(request.method == example.next)
        #expect(request.bodyText == (example.keepsBody ? "content" : ""))
        #expect(request.header("Content-Type") == (example.keepsBody ? "a/b" : nil))
        #expect(request.header("Accept") == "c/d")
        #expect(delegate.bodyText == (example.next == "HEAD" ? "" : "end"))
        #expect(delegate.metrics?.redirectCount == 1)
        #expect(server.acceptedConnectionCount == 1)
    }

    @Test func redirectCallsDelegateInOrder() async throws {
        let server = try LoopbackServer { request in
            request.path == "/end" ? .text("end") : .redirect(302, to: "/end").interim(103)
        }
        let delegate = try await Rig().fetch(server.url)
        #expect(
            delegate.milestones == [
                .requestSent, .informational(103), .redirect(302, to: server.url + "/end"),
                .requestSent, .head(200), .metrics, .completed(nil),
            ]
        )
    }

    @Test(arguments: [0, 1, 3, 20])
    func redirectsAreFollowedUpToLimit(_ limit: Int) async throws {
        let server = try LoopbackServer { _ in .redirect(to: "/again") }
        let rig = try Rig()
        let delegate = RecordingDelegate()
        try rig.start(server.url, delegate: delegate) { $0.redirects = .follow(limit: limit) }
        let error = try await delegate.failure()
        #expect(error.code == .tooManyRedirects)
        #expect(server.requestCount == limit + 1)
        #expect(delegate.redirects.count == limit)
        #expect(delegate.heads.isEmpty)
        #expect(delegate.metrics?.redirectCount == limit)
    }

    @Test func defaultRedirectLimitIs20() async throws {
        let server = try LoopbackServer { request in
            let index = Int(request.path.dropFirst()) ?? 0
            return index == 20 ? .text("end") : .redirect(to: "/\(index + 1)")
        }
        let rig = try Rig()
        #expect(try await rig.fetch(server.url + "/0").bodyText == "end")
        let loop = try LoopbackServer { .redirect(to: $0.path) }
        let delegate = RecordingDelegate()
        try rig.start(loop.url + "/x", delegate: delegate)
        #expect(try await delegate.failure().code == .tooManyRedirects)
        #expect(loop.requestCount == 21)
    }

    @Test(arguments: [
        ("/dir/sub/x?q", "leaf", "/dir/sub/leaf"), ("/dir/sub/x", "../up", "/dir/up"),
        ("/dir/x", "/abs?y=1#frag", "/abs?y=1"), ("/dir/x?a", "?b", "/dir/x?b"),
    ])
    func relativeLocationIsResolved(_ path: String, _ to: String, _ end: String) async throws {
        let server = try LoopbackServer { $0.target == path ? .redirect(to: to) : .text("end") }
        try await Rig().fetch(server.url + path)
        #expect(server.requests[1].target == end)
    }

    @Test func credentialsAreNotSentToOtherOrigin() async throws {
        let target = try LoopbackServer { _ in .text("end") }
        let server = try LoopbackServer { request in
            request.path == "/near" ? .redirect(to: target.url + "/far") : .redirect(to: "/near")
        }
        let key = try #require(HTTPField.Name("X-Key"))
        let fields: HTTPFields = [
            .authorization: "Bearer secret", .cookie: "a=b", key: "k", .accept: "c/d",
        ]
        try await Rig().fetch(server.url, fields: fields) {
            $0.redirects.credentialFields = [key]
        }
        // `/near` is the same origin; the other server's port makes it another origin.
        #expect(server.requests[1].header("Authorization") == "Bearer secret")
        #expect(server.requests[1].header("Cookie") == "a=b")
        let far = target.requests[0]
        #expect(far.header("Authorization") == nil)
        #expect(far.header("Cookie") == nil)
        #expect(far.header("X-Key") == nil)
        #expect(far.header("Accept") == "c/d")
        #expect(far.header("Host") == "127.0.0.1:\(target.port)")
    }

    @Test(arguments: [
        Authentication.basic(user: "u", password: "p"), .bearer(token: "t"),
    ])
    func configuredCredentialsAreNotSentToOtherOrigin(_ authentication: Authentication) async throws
    {
        let gate = Gate()
        let target = try LoopbackServer { _ in .text("end") }
        let server = try LoopbackServer { request in
            request.path == "/near" ? .redirect(to: target.url + "/far") : .redirect(to: "/near")
        }
        let back = try LoopbackServer { _ in .redirect(to: server.url + "/near") }
        try await Rig().fetch(server.url) { $0.authentication = authentication }
        #expect(server.requests[0].header("Authorization") != nil)
        #expect(server.requests[1].header("Authorization") != nil)
        #expect(target.requests[0].header("Authorization") == nil)
        // A redirect from another origin drops them too.
        try await Rig().fetch(back.url) { $0.authentication = authentication }
        #expect(server.requests[2].header("Authorization") == nil)
        gate.open()
    }

    @Test func delegateRedirectToOtherOriginDropsCredentials() async throws {
        let target = try LoopbackServer { _ in .text("end") }
        let server = try LoopbackServer { _ in .redirect(to: "/near") }
        let delegate = RecordingDelegate { answers in
            answers.redirect = { _, _ in
                let request = try? HTTPRequest(url: target.url + "/mine")
                return request.map { .followChanged($0) } ?? .refuse
            }
        }
        try await Rig().fetch(server.url, delegate: delegate) {
            $0.authentication = .basic(user: "u", password: "p")
        }
        #expect(target.requests[0].target == "/mine")
        #expect(target.requests[0].header("Authorization") == nil)
    }

    @Test(arguments: ["ftp://127.0.0.1/x", "mailto:x", "file:///etc/passwd", "javascript:0"])
    func otherSchemesAreNotFollowed(_ location: String) async throws {
        let server = try LoopbackServer { _ in .redirect(to: location) }
        let rig = try Rig()
        let delegate = RecordingDelegate()
        try rig.start(server.url, delegate: delegate)
        #expect(try await delegate.failure().code == .redirectForbidden)
        #expect(server.requestCount == 1)
    }

    @Test(arguments: ["http://", "http://a b/", "http://[::1/", "http://x:99999/"])
    func invalidLocationIsAnError(_ location: String) async throws {
        let server = try LoopbackServer { _ in .redirect(to: location) }
        let rig = try Rig()
        let delegate = RecordingDelegate()
        try rig.start(server.url, delegate: delegate)
        #expect(try await delegate.failure().code == .invalidResponse)
    }

    @Test func refusedRedirectIsDelivered() async throws {
        let server = try LoopbackServer { _ in
            Reply(302, headers: [("Location", "/x")], body: .bytes(Array("moved".utf8)))
        }
        let rig = try Rig()
        let byOption = try await rig.fetch(server.url) { $0.redirects = .refuse }
        #expect(byOption.redirects.isEmpty)
        let byDelegate = try await rig.fetch(
            server.url,
            delegate: RecordingDelegate { $0.redirect = { _, _ in .refuse } }
        )
        #expect(byDelegate.redirects.count == 1)
        for delegate in [byOption, byDelegate] {
            #expect(delegate.heads.map(\.statusCode) == [302])
            #expect(delegate.bodyText == "moved")
        }
        #expect(server.requestCount == 2)
    }

    @Test func redirectWithoutLocationIsDelivered() async throws {
        let server = try LoopbackServer { _ in .text("?", status: 302) }
        let delegate = try await Rig().fetch(server.url)
        #expect(delegate.heads.map(\.statusCode) == [302])
    }

    static let bodies: [Reply.Body] = [
        .bytes([]), .bytes([UInt8](repeating: 65, count: 200_000)), .untilClosed([65]),
    ]

    @Test(arguments: [0, 1, 2], [0, 1, 2])
    func delegateDecidesLater(_ body: Int, _ index: Int) async throws {
        let server = try LoopbackServer { request in
            request.path == "/end"
                ? .text("end")
                : Reply(302, headers: [("Location", "/end")], body: Self.bodies[body])
        }
        let rig = try Rig()
        let decisions: [RedirectDecision] = [
            .follow, .refuse, .followChanged(try HTTPRequest(url: server.url + "/end?changed")),
        ]
        let delegate = RecordingDelegate { $0.redirect = { _, _ in .later } }
        let handle = try rig.start(server.url + "/start", delegate: delegate) {
            $0.timeouts.idle = .seconds(3)
        }
        try await delegate.turnOfHead()
        // The answer may take any time: meanwhile other transfers run and timeouts pass.
        let silent = try LoopbackServer.scripted([.readHead, .stall])
        let other = RecordingDelegate()
        try rig.start(silent.url, delegate: other) { $0.timeouts.idle = .milliseconds(3300) }
        _ = try await other.failure()
        #expect(!delegate.isComplete)
        handle.answer(redirect: .later)
        handle.answer(redirect: decisions[index])
        handle.answer(redirect: .refuse)
        #expect(try await delegate.completion() == nil)
        #expect(delegate.heads.map(\.statusCode) == (index == 1 ? [302] : [200]))
        if index == 1 {
            guard case .bytes(let bytes) = Self.bodies[body] else { return }
            #expect(delegate.body == bytes)
        } else {
            #expect(delegate.bodyText == "end")
            let targets = server.requests.map(\.target)
            #expect(targets.last == (index == 0 ? "/end" : "/end?changed"))
        }
    }

    @Test func transferIsCancelledDuringRedirectDecision() async throws {
        let server = try LoopbackServer { _ in .redirect(to: "/end") }
        let rig = try Rig()
        let delegate = RecordingDelegate { $0.redirect = { _, _ in .later } }
        let handle = try rig.start(server.url, delegate: delegate)
        try await delegate.turnOfHead()
        handle.cancel()
        handle.answer(redirect: .follow)
        #expect(try await delegate.failure().code == .cancelled)
        #expect(server.requestCount == 1)
    }

    @Test func longRedirectBodyIsNotReadCompletely() async throws {
        let server = try LoopbackServer { request in
            request.path == "/end"
                ? .text("end")
                : Reply(
                    302,
                    headers: [("Location", "/end")],
                    body: .repeating([UInt8](repeating: 65, count: 1 << 16), times: 1 << 14)
                )
        }
        let delegate = try await Rig().fetch(server.url)
        #expect(delegate.bodyText == "end")
        try await server.connectionClosed(0)
        #expect(try #require(server.connection(0)).bytesSent < 64 << 20)
    }

    @Test func invalidRequestOfDelegateIsAnError() async throws {
        let server = try LoopbackServer { _ in .redirect(to: "/end") }
        let rig = try Rig()
        var bad = try HTTPRequest(url: server.url)
        bad.scheme = "ftp"
        var hostless = try HTTPRequest(url: server.url)
        hostless.authority = nil
        var split = try HTTPRequest(url: server.url)
        split.path = "/ HTTP/1.1\r\nX: y"
        for (request, code) in [
            (bad, TransportError.Code.unsupportedURL), (hostless, .invalidRequest),
            (split, .invalidRequest),
        ] {
            let delegate = RecordingDelegate { answers in
                answers.redirect = { _, _ in .followChanged(request) }
            }
            try rig.start(server.url, delegate: delegate)
            #expect(try await delegate.failure().code == code)
        }
        #expect(server.requestCount == 3)
    }
}
