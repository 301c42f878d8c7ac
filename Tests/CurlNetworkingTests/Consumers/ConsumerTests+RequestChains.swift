internal import Foundation
internal import TestSupport
internal import Testing

// The program that uses URLSession as Alamofire does.

extension ConsumerTests {
    private var chains: Consumer { Consumer(name: "RequestChains") }

    /// Replies as the program expects. A busy resource is available at its second request.
    private func chainServer(_ letter: Content) throws -> LoopbackServer {
        let busyReplies = Watched(0)
        return try LoopbackServer { request in
            switch request.path {
            case "/notes":
                Reply(
                    headers: [
                        ("Content-Type", "application/json"), ("Server", "loopback"),
                        ("Set-Cookie", "visit=1"),
                    ],
                    body: .bytes(Array(#"{"titles":["one","two"]}"#.utf8))
                )
            case "/text": .text("text")
            case "/private/note":
                // The user ada with the password secret.
                request.header("Authorization") == "Basic YWRhOnNlY3JldA=="
                    ? .text("private")
                    : Reply.status(401).header("WWW-Authenticate", "Basic realm=\"notes\"")
            case "/old": .redirect(302, to: "/new")
            case "/new": .text(request.header("X-Status") ?? "unchanged")
            case "/busy":
                busyReplies.update { count in
                    count += 1
                    return count == 1
                } ? .status(503) : .text("free")
            case "/members":
                .status(request.header("Authorization") == "Bearer fresh" ? 200 : 401)
            case "/token" where request.method == "POST": .text(#"{"token":"fresh"}"#)
            case "/cached", "/uncached":
                Reply.text("text").header("Cache-Control", "max-age=600")
            case "/upload":
                .text(
                    "\(request.method) \(request.bodyText) by "
                        + (request.header("Transfer-Encoding") ?? "length")
                )
            case "/letter.bin": letter.interruptedReply(to: request)
            case "/lines": .chunked([Array("one\n".utf8), Array("two\n".utf8)])
            case "/silent": .steps([.stall])
            default: .status(404)
            }
        }
    }

    @Test func chainedRequestsUseWholeSession() async throws {
        let letter = Content.numbered(1, count: 200_000)
        let server = try chainServer(letter)
        let folder = try TemporaryDirectory()
        let (status, output) = try await chains.run("run", server.url, folder.path(""))
        #expect(status == 0, "\(output)")
        let expected = """
            notes: one, two
            server: loopback
            missing: 404 Not Found
            text: unacceptable type text/plain
            private: 200
            curl -X GET -u 'ada:secret' -b 'visit=1' -H 'Accept-Encoding: gzip;q=1.0, deflate;q=0.9' \
            -H 'User-Agent: chains/1.0' '\(server.url)/private/note'
            redirected: 302 ["/old", "/new"]
            redirects: [1]
            not redirected: 302
            busy: 200 retries: 1 tasks: 2
            members: 200 retries: 1
            cached: network
            cached: cache
            uncached: network
            uncached: network
            stored: kept
            data: POST hello, world by length sent: 12 of 12
            file: POST hello, world by length sent: 12 of 12
            stream: POST hello, world by chunked sent: 12 of -1
            cancelled: NSURLErrorDomain -999 metrics: 1
            resumed: 206 at: 100000
            file: letter.bin
            stream: 200 ["one", "two"]
            refused: NSURLErrorDomain -999 status: 200
            silent: NSURLErrorDomain -999 metrics: 1
            events: challenged 1, completed 23, invalidated 1, measured 23, redirected 2, retried 2, \
            started 23

            """
        #expect(output == expected)
        #expect(try folder.read("letter.bin") == letter.bytes)
        let userAgents = Set(server.requests.map { $0.header("User-Agent") })
        #expect(userAgents == ["chains/1.0"])
    }

    @Test(.enabled(if: NginxPeer.isAvailable))
    func chainedRequestsEvaluateTrust() async throws {
        let peer = try await NginxPeer.shared()
        let folder = try TemporaryDirectory()
        let url = peer.url(.selfSigned)
        let outcomes: [((Certificates) -> String, String)] = [
            ({ $0.selfSigned.certificate }, "200"),
            ({ $0.server.certificate }, "NSURLErrorDomain -999"),
        ]
        for (path, outcome) in outcomes {
            let certificate = [UInt8](try peer.certificate(path))
            let file = try folder.write(certificate, to: UUID().uuidString)
            let (status, output) = try await chains.run("trust", url, file)
            #expect(status == 0)
            #expect(output == "trust: \(outcome)\n")
        }
    }

    @Test func chainedRequestsLinkNoFoundationNetworking() async throws {
        let libraries = try await chains.libraries()
        #expect(libraries.contains("libcurl.so.4"))
        #expect(!libraries.contains { $0.hasPrefix("libFoundationNetworking") })
    }
}
