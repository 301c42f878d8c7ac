import TestSupport
import Testing

/// Redirects from `https` to `http`.
@Suite(.enabled(if: NginxPeer.isAvailable), .timeLimit(.minutes(10)))
struct DowngradeCommandTests {
    @Test("Given a redirect from https to http, then only --allow-downgrade follows it")
    func downgradesNeedTheOption() async throws {
        let target = try LoopbackServer { _ in .text("clear") }
        let upstream = try LoopbackServer { _ in .redirect(to: target.url + "/target") }
        let nginx = try await NginxPeer.start(upstream: upstream.url)
        defer { nginx.stop() }
        let arguments = [
            "--cacert", nginx.certificates.authority, "--user", "u:s3cret", "--retries", "0",
            nginx.url(.https, "/upstream/a"),
        ]
        var ending = try await CommandRun.ending(arguments)
        #expect(ending.status == 1, "\(ending)")
        #expect(ending.output.contains("redirect_forbidden"), "\(ending)")
        #expect(target.requestCount == 0)
        ending = try await CommandRun.ending(["--allow-downgrade"] + arguments)
        #expect(ending.status == 0, "\(ending)")
        #expect(target.requests.map(\.target) == ["/target"])
        #expect(try await target.request(0).header("Authorization") == nil)
        #expect(upstream.requests.allSatisfy { $0.header("Authorization") != nil })
    }
}
