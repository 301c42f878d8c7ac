import CurlTransport
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Authentication, decoding, redirects and uploads, as httpbin sees them.
@Suite(.enabled(if: HTTPBinPeer.isAvailable), .timeLimit(.minutes(10)))
struct HTTPBinTests {
    /// The fields of httpbin's answers that tests read.
    private struct Answer: Decodable {
        var authenticated: Bool?
        var user: String?
        var data: String?
        var headers: [String: String]?
        var cookies: [String: String]?
        var gzipped: Bool?
        var deflated: Bool?
        var brotli: Bool?
        var url: String?
    }

    private func decode(_ fetched: Fetched) throws -> Answer {
        try JSONDecoder().decode(Answer.self, from: Data(fetched.bytes))
    }

    private func client(_ authentication: Authentication? = nil) throws -> PeerClient {
        try PeerClient { $0.authentication = authentication }
    }

    // MARK: Authentication

    @Test(arguments: [
        ("/basic-auth/u/p%20w", Authentication.basic(user: "u", password: "p w")),
        ("/hidden-basic-auth/u/pw", .basic(user: "u", password: "pw")),
        ("/digest-auth/auth/u/pw", .digest(user: "u", password: "pw")),
        ("/digest-auth/auth/u/pw/SHA-256", .digest(user: "u", password: "pw")),
        ("/digest-auth/auth-int/u/pw/MD5", .digest(user: "u", password: "pw")),
        ("/digest-auth/auth/u/pw", .any(user: "u", password: "pw")),
        ("/basic-auth/u/pw", .any(user: "u", password: "pw")),
        ("/bearer", .bearer(token: "abc.def")),
    ])
    func credentialsAreAccepted(path: String, authentication: Authentication) async throws {
        let httpbin = try await HTTPBinPeer.shared()
        let fetched = try await client(authentication).fetch(httpbin.url(path))
        #expect(fetched.status == 200)
        let answer = try decode(fetched)
        #expect(answer.authenticated == true)
        if case .bearer = authentication { return }
        #expect(answer.user == "u")
    }

    @Test(arguments: [
        ("/basic-auth/u/pw", Authentication.basic(user: "u", password: "wrong")),
        ("/digest-auth/auth/u/pw", .digest(user: "u", password: "wrong")),
        ("/digest-auth/auth/u/pw", .any(user: "u", password: "wrong")),
        ("/basic-auth/u/pw", .any(user: "u", password: "wrong")),
        ("/basic-auth/u/pw", .ntlm(user: "u", password: "pw")),
        ("/basic-auth/u/pw", .negotiate),
        ("/basic-auth/u/pw", .bearer(token: "x")),
    ])
    func rejectedCredentialsAreAResponse(path: String, authentication: Authentication) async throws
    {
        let available = ProxyServer.AuthenticationKinds.available
        if case .ntlm = authentication, !available.contains(.ntlm) { return }
        let httpbin = try await HTTPBinPeer.shared()
        let fetched = try await client(authentication).fetch(httpbin.url(path))
        #expect(fetched.status == 401)
        #expect(fetched.response.headerFields.contains(.wwwAuthenticate))
    }

    @Test func bodyIsSentAfterChallenge() async throws {
        // httpbin supports Digest only for GET, so this server sends the challenge.
        let server = try LoopbackServer { request in
            let challenge = "Digest realm=\"r\", nonce=\"abc\", qop=\"auth\", algorithm=MD5"
            guard let answer = request.header("Authorization"), answer.contains("qop=auth") else {
                return Reply.status(401).header("WWW-Authenticate", challenge)
            }
            return .bytes(request.body)
        }
        let client = try client(.digest(user: "u", password: "pw"))
        let content = Array(NginxPeer.megabyte.prefix(100_000))
        let folder = try TemporaryDirectory()
        let bodies: [RequestBody] = [
            .text("small"), .bytes(content), .file(path: try folder.write(content, to: "file")),
            .stream(restartable: { OddPieces(of: content) }),
        ]
        for body in bodies {
            let fetched = try await client.fetch(server.url, method: .post, body: body)
            #expect(fetched.status == 200)
            #expect(fetched.text == "small" || fetched.bytes == content)
        }
    }

    @Test func requestIsSignedForAWS() async throws {
        let httpbin = try await HTTPBinPeer.shared()
        let authentication = Authentication.awsSigV4(
            provider: "aws:amz:eu-west-1:s3",
            accessKey: "AKID",
            secretKey: "topsecret",
            sessionToken: "session"
        )
        let fetched = try await client(authentication).fetch(httpbin.url("/headers"))
        #expect(!fetched.text.contains("topsecret"))
        let headers = try #require(try decode(fetched).headers)
        let signature = try #require(headers["Authorization"])
        let form =
            /AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-west-1\/s3\/aws4_request, SignedHeaders=[a-z0-9;-]+, Signature=[0-9a-f]{64}/
        #expect(try form.wholeMatch(in: signature) != nil, "\(signature)")
        #expect(headers["X-Amz-Date"]?.count == 16)
        #expect(headers["X-Amz-Security-Token"] == "session")
    }

    // MARK: Responses

    @Test func codingsAreDecoded() async throws {
        let httpbin = try await HTTPBinPeer.shared()
        let client = try client()
        #expect(try await decode(client.fetch(httpbin.url("/gzip"))).gzipped == true)
        #expect(try await decode(client.fetch(httpbin.url("/deflate"))).deflated == true)
        let offered = try await decode(client.fetch(httpbin.url("/headers"))).headers
        for coding in ["gzip", "deflate"] {
            #expect(offered?["Accept-Encoding"]?.contains(coding) == true)
        }
        if offered?["Accept-Encoding"]?.contains("br") == true {
            let fetched = try await client.fetch(httpbin.url("/brotli"))
            if fetched.status == 200 { #expect(try decode(fetched).brotli == true) }
        }
    }

    @Test func bodyIsNotDecodedWhenDisabled() async throws {
        let httpbin = try await HTTPBinPeer.shared()
        let raw = try await PeerClient { $0.decodesContent = false }.fetch(httpbin.url("/gzip"))
        #expect(raw.bytes.prefix(2) == [0x1F, 0x8B])
    }

    @Test(arguments: [200, 201, 204, 400, 404, 418, 429, 500, 503])
    func everyStatusIsDelivered(status: Int) async throws {
        let httpbin = try await HTTPBinPeer.shared()
        // Inside of the call, this expression crashes Swift 6.3.1 -O.
        let url = httpbin.url("/status/\(status)")
        let fetched = try await client().fetch(url)
        #expect(fetched.status == status)
    }

    @Test(arguments: ["/redirect/5", "/relative-redirect/5", "/absolute-redirect/5"])
    func redirectsAreFollowed(path: String) async throws {
        let httpbin = try await HTTPBinPeer.shared()
        let fetched = try await client().fetch(httpbin.url(path))
        #expect(fetched.status == 200)
        #expect(fetched.metrics.redirectCount == 5)
        #expect(fetched.response.url == httpbin.url("/get"))
        let short = try PeerClient { $0.redirects = .follow(limit: 4) }
        #expect(await short.failure(httpbin.url(path))?.code == .tooManyRedirects)
        let refused = try await PeerClient { $0.redirects = .refuse }.fetch(httpbin.url(path))
        #expect(refused.status == 302)
    }

    @Test func redirectsChangeMethodByStatus() async throws {
        let httpbin = try await HTTPBinPeer.shared()
        let target = "/redirect-to?url=/anything&status_code="
        for (status, text) in [(302, "\"method\":\"GET\""), (307, "\"data\":\"body\"")] {
            let fetched = try await client().fetch(
                httpbin.url(target + "\(status)"),
                method: .post,
                body: .text("body")
            )
            #expect(fetched.text.filter { !$0.isWhitespace }.contains(text))
        }
    }

    @Test func cookiesAreNotStored() async throws {
        let httpbin = try await HTTPBinPeer.shared()
        let client = try client()
        let fetched = try await client.fetch(httpbin.url("/cookies/set?a=b"))
        #expect(try decode(fetched).cookies == [:])
        #expect(try await decode(client.fetch(httpbin.url("/cookies"))).cookies == [:])
    }

    /// The test uses its own peer.
    ///
    /// Concurrent requests for a seed's random bytes would take some of them.
    @Test func bodiesOfEveryFramingAreComplete() async throws {
        let httpbin = try await HTTPBinPeer.start()
        defer { httpbin.stop() }
        let client = try client()
        let size = 100_000
        let chunked = try await client.fetch(httpbin.url("/stream-bytes/\(size)?seed=1"))
        let whole = try await client.fetch(httpbin.url("/bytes/\(size)?seed=1"))
        #expect(whole.bytes.count == size)
        // Reporting how two long arrays differ takes minutes.
        let isSame = chunked.bytes == whole.bytes
        #expect(isSame, "\(chunked.bytes.count) bytes in chunks")
        let lines = try await client.fetch(httpbin.url("/stream/20"))
        #expect(lines.bytes.split(separator: 10).count == 20)
    }

    @Test func headerFieldsArriveInBothDirections() async throws {
        let httpbin = try await HTTPBinPeer.shared()
        let name = try #require(HTTPField.Name("X-Test"))
        let sent = try await client().fetch(
            httpbin.url("/headers"),
            headerFields: [name: "a, b=\"c\""]
        )
        #expect(try decode(sent).headers?["X-Test"] == "a, b=\"c\"")
        let received = try await client().fetch(
            httpbin.url("/response-headers?X-Test=one&X-Test=two")
        )
        #expect(received.response.headerFields[values: name] == ["one", "two"])
    }

    // MARK: Timeouts

    @Test func pauseInBodyHitsIdleTimeout() async throws {
        let httpbin = try await HTTPBinPeer.shared()
        let client = try PeerClient { $0.timeouts.idle = .milliseconds(300) }
        let error = await client.failure(httpbin.url("/drip?duration=20&numbytes=4&delay=0"))
        #expect(error?.code == .idleTimeout)
    }

    @Test func lateResponseHitsFirstByteTimeout() async throws {
        let httpbin = try await HTTPBinPeer.shared()
        let client = try PeerClient { $0.timeouts.firstByte = .milliseconds(300) }
        #expect(await client.failure(httpbin.url("/delay/5"))?.code == .firstByteTimeout)
    }

    // MARK: Uploads

    @Test func uploadsAreEchoedExactly() async throws {
        let httpbin = try await HTTPBinPeer.shared()
        let client = try client()
        let text = (0..<20_000).map { "line \($0)" }.joined(separator: "\n")
        let bytes = Array(text.utf8)
        let folder = try TemporaryDirectory()
        let bodies: [RequestBody] = [
            .text(text), .bytes(bytes), .file(path: try folder.write(bytes, to: "upload")),
            .stream(length: Int64(bytes.count), OddPieces(of: bytes)),
        ]
        for method in [HTTPRequest.Method.post, .put, .patch] {
            for body in bodies {
                let url = httpbin.url("/\(method.rawValue.lowercased())")
                let fetched = try await client.fetch(url, method: method, body: body)
                #expect(try decode(fetched).data == text)
            }
        }
        #expect(try await client.fetch(httpbin.url("/post"), method: .post).status == 200)
    }
}
