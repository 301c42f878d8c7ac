internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlURLSession

/// Tests which requests a stored response answers, and which requests invalidate it.
@Suite(.timeLimit(.minutes(10))) struct CacheSelectionTests {
    // MARK: - Variants

    @Test("C19: A stored response answers only requests that match in its Vary fields")
    func variantsAreDistinguished() async throws {
        let scene = try CacheScene { request, number in
            .fresh("\(request.header("X-Kind") ?? "none") \(number)").header("Vary", "X-Kind")
        }
        for (kind, text) in [("a", "a 1"), ("b", "b 2"), ("a", "a 1"), ("b", "b 2")] {
            #expect(try await scene.load(fields: ["X-Kind": kind]).text == text)
        }
        #expect(try await scene.load().text == "none 3")
        #expect(scene.server.requestCount == 3)
    }

    @Test func varyIncludesCookiesAndSessionFields() async throws {
        let scene = try CacheScene(configure: { $0.httpAdditionalHeaders = ["X-Kind": "s"] }) {
            request,
            number in
            request.path == "/login"
                ? Reply.text("in").header("Set-Cookie", "user=\(number)")
                : Reply.fresh("\(number)").header("Vary", "Cookie, X-Kind")
        }
        #expect(try await scene.load().text == "1")
        #expect(try await scene.load().text == "1")
        #expect(try await scene.load(fields: ["X-Kind": "s"]).text == "1")
        #expect(try await scene.load(fields: ["X-Kind": "t"]).text == "2")
        _ = try await scene.load("/login")
        #expect(try await scene.load().text == "4")
        #expect(try await scene.load().text == "4")
        #expect(scene.server.requestCount == 4)
    }

    @Test func varyAsteriskAnswersNothing() async throws {
        let scene = try CacheScene { Reply.fresh("\($1)").header("Vary", "*") }
        #expect(try await scene.load().text == "1")
        #expect(try await scene.load().text == "2")
    }

    // MARK: - Responses that aren't stored

    @Test(
        "C19: A response isn't stored if it or its request says no-store",
        arguments: [("no-store", [:]), ("max-age=60", ["Cache-Control": "no-store"])]
    )
    func noStoreIsObeyed(_ directives: String, _ fields: [String: String]) async throws {
        let scene = try CacheScene { Reply.text("\($1)").header("Cache-Control", directives) }
        #expect(try await scene.load(fields: fields).text == "1")
        #expect(scene.cache.currentMemoryUsage == 0)
        #expect(try await scene.load(fields: fields).text == "2")
        #expect(try await scene.load().text == "3")
    }

    @Test("C19: Partial responses are neither stored nor answered from the cache")
    func partialResponsesBypassTheCache() async throws {
        let scene = try CacheScene { request, number in
            guard request.header("Range") != nil else { return .fresh("whole \(number)") }
            return Reply(
                206,
                headers: [("Content-Range", "bytes 0-3/7"), ("Cache-Control", "max-age=60")],
                body: .bytes(Array("part".utf8))
            )
        }
        let range = ["Range": "bytes=0-3"]
        #expect(try await scene.load(fields: range).text == "part")
        #expect(try await scene.load().text == "whole 2")
        #expect(try await scene.load(fields: range).text == "part")
        #expect(try await scene.load().text == "whole 2")
        #expect(scene.server.requestCount == 3)
    }

    @Test(arguments: [true, false])
    func tooLargeResponseIsNotStored(_ isAnnounced: Bool) async throws {
        // The limit for a response is a twentieth of the capacity: 1,000 bytes.
        let scene = try CacheScene(memory: 20_000) { request, number in
            let size = request.path == "/small" ? 300 : 2000
            let bytes = [UInt8](repeating: UInt8(ascii: "0") + UInt8(number), count: size)
            let body: Reply.Body =
                isAnnounced ? .bytes(bytes) : .chunks([bytes, bytes], trailers: [])
            return Reply(headers: [("Cache-Control", "max-age=60")], body: body)
        }
        for path in ["/large", "/large", "/small", "/small"] {
            let answer = try await scene.load(path)
            #expect(!answer.text.isEmpty)
        }
        #expect(scene.server.requests.map(\.path) == ["/large", "/large", "/small"])
        #expect(scene.cache.currentMemoryUsage > 0)
    }

    @Test func interruptedResponseIsNotStored() async throws {
        let scene = try CacheScene { _, number in
            guard number == 1 else { return .fresh("whole") }
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nCache-Control: max-age=60\r\n\r\n"
            return .steps([.send(head + "who")])
        }
        let error = try await urlError { _ = try await scene.load() }
        #expect(error.code == .networkConnectionLost)
        #expect(scene.cache.currentMemoryUsage == 0)
        #expect(try await scene.load().text == "whole")
    }

    @Test func downloadsAndUploadsBypassTheCache() async throws {
        let scene = try CacheScene { .fresh("\($1)") }
        let request = try scene.request()
        for number in 1...2 {
            let (file, _) = try await scene.session.download(for: request)
            #expect(try String(contentsOf: file, encoding: .utf8) == "\(number)")
            try FileManager.default.removeItem(at: file)
        }
        for number in 3...4 {
            let (data, _) = try await scene.session.upload(for: request, from: Data())
            #expect(String(decoding: data, as: UTF8.self) == "\(number)")
        }
        #expect(scene.cache.currentMemoryUsage == 0)
        #expect(try await scene.load().text == "5")
        let (file, _) = try await scene.session.download(for: request)
        #expect(try String(contentsOf: file, encoding: .utf8) == "6")
        try FileManager.default.removeItem(at: file)
    }

    // MARK: - Invalidation

    @Test(
        "C19: An unsafe request without an error invalidates the stored response",
        arguments: [
            ("POST", 200, true), ("PUT", 204, true), ("DELETE", 200, true),
            ("PATCH", 200, true), ("POST", 303, true), ("POST", 500, false), ("POST", 404, false),
            ("OPTIONS", 200, false),
        ]
    )
    func unsafeRequestsInvalidate(_ method: String, _ status: Int, _ isInvalid: Bool) async throws {
        let scene = try CacheScene { request, number in
            request.method == "GET" ? .fresh("\(number)") : .status(status)
        }
        #expect(try await scene.load().text == "1")
        #expect(try await scene.load("/other").text == "2")
        _ = try await scene.load("/", method)
        #expect(try await scene.load().text == (isInvalid ? "4" : "1"))
        #expect(try await scene.load("/other").text == "2")
    }

    @Test func uploadInvalidatesTheStoredResponse() async throws {
        let scene = try CacheScene { request, number in
            request.method == "GET"
                ? .fresh("\(number)") : Reply.status(201).header("Location", "/new")
        }
        #expect(try await scene.load().text == "1")
        #expect(try await scene.load("/new").text == "2")
        let request = try scene.request("/", "POST")
        _ = try await scene.session.upload(for: request, from: Data("x".utf8))
        #expect(try await scene.load().text == "4")
        #expect(try await scene.load("/new").text == "5")
    }

    // MARK: - Users

    @Test("C19: One user's stored response isn't delivered to another user")
    func usersResponsesAreDistinguished() async throws {
        let scene = try CacheScene { request, number in
            request.path == "/public"
                ? Reply.text("\(number)").header("Cache-Control", "public, max-age=60")
                : .fresh("\(request.header("Authorization") ?? "anonymous") \(number)")
        }
        for (user, text) in [("a", "a 1"), ("b", "b 2"), ("a", "a 1")] {
            #expect(try await scene.load(fields: ["Authorization": user]).text == text)
        }
        #expect(try await scene.load().text == "anonymous 3")
        #expect(try await scene.load("/public", fields: ["Authorization": "a"]).text == "4")
        #expect(try await scene.load("/public", fields: ["Authorization": "b"]).text == "4")
        #expect(scene.server.requestCount == 4)
    }

    @Test func authenticatedResponseAnswersOnlyAuthenticated() async throws {
        let scene = try CacheScene { request, number in
            request.header("Authorization") == nil
                ? Reply(401, headers: [("WWW-Authenticate", "Basic realm=\"Home\"")])
                : .fresh("in \(number)")
        }
        let delegate = SessionDelegate { answers in
            answers.challenge = { challenge, answer in
                answer(
                    .useCredential,
                    URLCredential(user: "user", password: "pass", persistence: .none)
                )
            }
        }
        #expect(try await scene.load(delegate: delegate).text == "in 2")
        // The server sends a 401 again, and the cache answers the request with the credential.
        #expect(try await scene.load(delegate: delegate).text == "in 2")
        #expect(scene.server.requestCount == 3)
        let last = try #require(delegate.metrics.last).transactionMetrics
        #expect(last.map(\.resourceFetchType) == [.networkLoad, .localCache])
        // A request without a credential doesn't get the stored response.
        #expect(try await scene.load().response.statusCode == 401)
    }

    // MARK: - Redirects

    @Test("C19: A stored redirect is followed without a request to the server")
    func redirectsAreStored() async throws {
        let scene = try CacheScene { request, number in
            request.path == "/end"
                ? .fresh("\(number)")
                : Reply.redirect(301, to: "/end").header("Cache-Control", "max-age=100")
        }
        for _ in 0..<2 {
            let delegate = SessionDelegate()
            let answer = try await scene.load("/start", delegate: delegate)
            #expect(answer.text == "2")
            #expect(answer.response.url?.path == "/end")
            #expect(
                delegate.events == [
                    .redirect(301, to: "/end"), .response(200), .data(1), .metrics(transactions: 2),
                ]
            )
        }
        #expect(try await scene.load("/start").text == "2")
        #expect(scene.server.requestCount == 2)
        scene.clock.advance(by: 70)
        #expect(try await scene.load("/start").text == "3")
        // If the delegate doesn't follow the redirect, the 301 is the response.
        let delegate = SessionDelegate { $0.redirect = { $2(nil) } }
        #expect(try await scene.load("/start", delegate: delegate).response.statusCode == 301)
        #expect(scene.server.requestCount == 3)
    }

    @Test func redirectWithoutLifetimeIsRequestedAgain() async throws {
        let scene = try CacheScene { request, number in
            request.path == "/end" ? .fresh("\(number)") : .redirect(to: "/end")
        }
        for _ in 0..<3 { #expect(try await scene.load("/start").text == "2") }
        #expect(scene.server.requests.map(\.path) == ["/start", "/end", "/start", "/start"])
    }
}
