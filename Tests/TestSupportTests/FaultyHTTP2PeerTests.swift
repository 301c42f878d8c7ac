internal import TestSupport
internal import Testing

@Suite(.enabled(if: Curl.isAvailable && FaultyHTTP2Peer.isAvailable), .timeLimit(.minutes(10)))
struct FaultyHTTP2PeerTests {
    private func fetch(_ path: String) async throws -> (status: Int32, output: String) {
        let peer = try await FaultyHTTP2Peer.shared()
        let format = "-w%{http_code} %{size_download} %{http_version}"
        let authority = peer.certificates.authority
        return try await Curl.run("--cacert", authority, "-o/dev/null", format, peer.url(path))
    }

    @Test func completeBodiesArrive() async throws {
        #expect(try await fetch("/body").output == "200 10000 2")
        #expect(try await fetch("/body?size=3000000&length=no").output == "200 3000000 2")
        #expect(try await fetch("/trailers").output == "200 10000 2")
        #expect(try await fetch("/nowhere").output == "404 0 2")
    }

    @Test(arguments: ["CANCEL", "INTERNAL_ERROR", "ENHANCE_YOUR_CALM"])
    func streamsAreResetAtEachStage(code: String) async throws {
        for when in ["before-head", "after-head", "mid-body"] {
            for length in ["yes", "no"] {
                let result = try await fetch("/reset?code=\(code)&when=\(when)&length=\(length)")
                #expect(result.status == 92, "\(when), length \(length): \(result.output)")
            }
        }
    }

    @Test func refusedStreamCanBeRetried() async throws {
        let result = try await fetch("/refused-once?key=curl")
        #expect(result.output.hasSuffix("200 10000 2") || result.status == 92)
    }

    @Test func connectionsEndMidBody() async throws {
        for path in ["/goaway?code=INTERNAL_ERROR", "/close", "/close?abrupt=yes", "/calm"] {
            let result = try await fetch(path)
            #expect(result.status != 0, "\(path): \(result.output)")
        }
    }

    @Test func streamMayBeShorterThanItsLength() async throws {
        #expect(try await fetch("/short").status != 0)
    }

    @Test func cleartextHTTP2IsServed() async throws {
        let peer = try await FaultyHTTP2Peer.start(tls: false)
        let url = peer.url("/echo")
        let result = try await Curl.run("--http2-prior-knowledge", "-d", "hello", url)
        #expect(result.output == "hello")
    }
}
