import HTTPTypes
import Testing

@testable import CurlTransport

struct RedirectRuleTests {
    private func decide(
        _ statusCode: Int = 302,
        _ location: String? = "/next",
        method: HTTPRequest.Method = .get,
        from url: String = "https://a.example/dir/x?q",
        fields: HTTPFields = [:],
        count: Int = 0,
        policy: RedirectPolicy = .follow()
    ) throws -> RedirectRule.Outcome {
        let request = try HTTPRequest(method: method, url: url, headerFields: fields)
        return RedirectRule.decide(
            statusCode: statusCode,
            location: location.map { Array($0.utf8) },
            request: request,
            count: count,
            policy: policy
        )
    }

    @Test(arguments: [
        (301, "GET", "GET", true), (301, "POST", "GET", false), (301, "PUT", "PUT", true),
        (301, "HEAD", "HEAD", true), (302, "POST", "GET", false), (302, "DELETE", "DELETE", true),
        (303, "GET", "GET", false), (303, "POST", "GET", false), (303, "PUT", "GET", false),
        (303, "HEAD", "HEAD", false), (307, "POST", "POST", true), (307, "PUT", "PUT", true),
        (308, "POST", "POST", true), (308, "GET", "GET", true),
    ])
    func methodAndBodyChangeAsTheRFCSays(
        status: Int,
        method: String,
        next: String,
        keepsBody: Bool
    ) throws {
        let method = try #require(HTTPRequest.Method(method))
        let redirect = try #require(try decide(status, method: method).redirect)
        #expect(redirect.request.method.rawValue == next)
        #expect(redirect.keepsBody == keepsBody)
        #expect(redirect.statusCode == status)
        #expect(redirect.count == 1)
    }

    @Test(arguments: [200, 204, 300, 304, 305, 306, 309, 399, 401, 500, -1, 0, 100, 1_000])
    func nonRedirectStatusesAreDelivered(status: Int) throws {
        #expect(try decide(status) == .deliver)
    }

    @Test func redirectIsDeliveredWithoutLocationOrIfRefused() throws {
        #expect(try decide(302, nil) == .deliver)
        #expect(try decide(302, "") == .deliver)
        #expect(try decide(policy: .refuse) == .deliver)
    }

    @Test func askPolicyProposesRequest() throws {
        #expect(try decide(policy: .ask).redirect != nil)
    }

    @Test(arguments: [
        ("/next", "https://a.example/next"), ("leaf", "https://a.example/dir/leaf"),
        ("../up", "https://a.example/up"), ("?only", "https://a.example/dir/x?only"),
        ("//b.example:8443/p", "https://b.example:8443/p"),
        ("https://u:p@a.example/s#f", "https://a.example/s"),
        ("/a b/ü", "https://a.example/a%20b/%C3%BC"), ("#f", "https://a.example/dir/x?q"),
        ("HTTPS://A.EXAMPLE:443/", "https://A.EXAMPLE/"), ("/x?", "https://a.example/x?"),
    ])
    func locationIsResolvedAgainstRequestURL(location: String, expected: String) throws {
        let redirect = try #require(try decide(302, location).redirect)
        #expect(redirect.location == expected)
        #expect(redirect.request.url == expected)
    }

    @Test(arguments: [
        ("https://a.example/y", false), ("https://a.example:443/y", false), ("/y", false),
        ("https://A.example/y", false), ("https://b.example/y", true),
        ("https://a.example:444/y", true), ("https://sub.a.example/y", true),
        ("https://a.example.evil/y", true), ("https://a.example@evil/y", true),
    ])
    func credentialsAreNotSentToOtherOrigin(location: String, isOther: Bool) throws {
        let apiKey = try #require(HTTPField.Name("X-Api-Key"))
        var fields: HTTPFields = [
            .authorization: "Bearer secret", .cookie: "a=secret", .origin: "https://a.example",
            .proxyAuthorization: "Basic secret", .accept: "text/plain", apiKey: "secret",
        ]
        for name in ["Cookie2", "Host"] {
            fields[try #require(HTTPField.Name(name))] = "secret"
        }
        var policy = RedirectPolicy.follow()
        policy.credentialFields = [apiKey]
        let redirect = try #require(
            try decide(307, location, method: .post, fields: fields, policy: policy).redirect
        )
        #expect(redirect.dropsCredentials == isOther)
        #expect(redirect.request.headerFields.count == (isOther ? 1 : 8))
        #expect(redirect.request.headerFields[.accept] == "text/plain")
    }

    @Test func urlCredentialsAreNotSentToOtherOrigin() throws {
        let redirect = try #require(
            try decide(302, "https://b.example/", from: "https://u:p@a.example/").redirect
        )
        #expect(redirect.request.headerFields.isEmpty)
    }

    @Test func contentFieldsAreRemovedWithBody() throws {
        let fields: HTTPFields = [
            .contentType: "a/b", .contentLength: "3", .contentEncoding: "gzip",
            .transferEncoding: "chunked", .expect: "100-continue", .accept: "*/*",
        ]
        let dropped = try #require(try decide(303, method: .post, fields: fields).redirect)
        #expect(dropped.request.headerFields == [.accept: "*/*"])
        let kept = try #require(try decide(307, method: .post, fields: fields).redirect)
        #expect(kept.request.headerFields == fields)
    }

    @Test func downgradeToHTTPMustBeAllowed() throws {
        #expect(try decide(302, "http://a.example/").error?.code == .redirectForbidden)
        var policy = RedirectPolicy.follow()
        policy.allowsDowngrade = true
        let redirect = try #require(try decide(302, "http://a.example/", policy: policy).redirect)
        #expect(redirect.dropsCredentials == true)
        #expect(try decide(302, "https://a.example/", from: "http://a.example/").redirect != nil)
    }

    @Test(arguments: [
        "ftp://a.example/", "file:///etc/passwd", "gopher://a.example/", "mailto:x@y",
        "javascript:alert(1)", "data:text/plain,x", "ldap://a/", "gurk://a/",
    ])
    func otherSchemesAreNotFollowed(location: String) throws {
        let error = try #require(try decide(302, location).error)
        #expect(error.code == .redirectForbidden)
        #expect(error.retry == .never)
    }

    @Test(arguments: ["http://", "//", "https://a b/", "https://[::1", "https://a:99999/"])
    func invalidLocationIsAnInvalidResponse(location: String) throws {
        let error = try #require(try decide(302, location).error)
        #expect(error.code == .invalidResponse)
        #expect(error.url == "https://a.example/dir/x")
    }

    @Test(arguments: [(20, 19, true), (20, 20, false), (0, 0, false), (-5, 0, false), (1, 0, true)])
    func limitCountsFollowedRedirects(limit: Int, count: Int, follows: Bool) throws {
        let outcome = try decide(count: count, policy: .follow(limit: limit))
        #expect((outcome.redirect != nil) == follows)
        #expect((outcome.error?.code == .tooManyRedirects) == !follows)
    }

    @Test func firstLocationFieldIsUsed() throws {
        var parser = ResponseHeadParser()
        let head = try #require(
            try parser.take([
                "HTTP/1.1 301 x\r\n", "lOCATION:  /one \r\n", "Location: /two\r\n", "\r\n",
            ]).heads.first
        )
        let request = try HTTPRequest(url: "http://h/")
        let outcome = RedirectRule.decide(
            on: head,
            request: request,
            count: 0,
            policy: .follow()
        )
        #expect(outcome.redirect?.location == "http://h/one")
    }

    @Test func requestWithoutURLFails() {
        let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: nil)
        let outcome = RedirectRule.decide(
            statusCode: 301,
            location: Array("/x".utf8),
            request: request,
            count: 0,
            policy: .follow()
        )
        #expect(outcome.error != nil)
    }

    @Test func randomLocationsNeverTrapOrLeaveHTTP() throws {
        var random = SystemRandomNumberGenerator()
        let request = try HTTPRequest(url: "https://a.example/b?c")
        let alphabet = Array("https:/?#@[]%.\\ \0\r\nab09".utf8) + [0xff, 0xe9, 0x7f]
        for _ in 0..<10_000 {
            let location = (0..<Int.random(in: 0..<20, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? 0
            }
            let outcome = RedirectRule.decide(
                statusCode: 302,
                location: location,
                request: request,
                count: 0,
                policy: .follow()
            )
            guard let redirect = outcome.redirect else { continue }
            #expect(redirect.request.scheme == "https")
            #expect(redirect.location.utf8.allSatisfy { $0 > 0x20 })
            #expect(!redirect.location.contains("#"))
        }
    }
}

extension RedirectRule.Outcome {
    var redirect: Redirect? {
        if case .follow(let redirect) = self { redirect } else { nil }
    }

    var error: TransportError? {
        if case .fail(let error) = self { error } else { nil }
    }
}
