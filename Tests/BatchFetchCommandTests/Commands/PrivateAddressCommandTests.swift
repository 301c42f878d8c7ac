import TestSupport
import Testing

/// `--no-private`: the command connects to public addresses only.
@Suite(.timeLimit(.minutes(10))) struct PrivateAddressCommandTests {
    private func results(_ arguments: [String], input: String) async throws -> [ResultLine] {
        let ending = try await CommandRun.ending(
            ["--quiet", "--results", "-", "--retries", "5"] + arguments + ["-"],
            input: input
        )
        #expect(ending.status == 1, "\(ending)")
        return try ResultLine.lines(ending.output)
    }

    @Test(
        "Given --no-private, URLs of this machine fail once with address_refused, robots.txt or not",
        arguments: [[], ["--robots", "on"]]
    )
    func urlsOfThisMachineAreRefused(options: [String]) async throws {
        let server = try LoopbackServer { _ in .text("secret") }
        let urls = ["127.0.0.1", "localhost", "2130706433", "[::1]", "[::ffff:127.0.0.1]"]
            .map { "http://\($0):\(server.port)/of/\($0)" }
        let lines = try await results(
            ["--no-private"] + options,
            input: urls.joined(separator: "\n")
        )
        #expect(Set(lines.map(\.url)) == Set(urls))
        for line in lines {
            #expect(!line.ok && line.status == nil)
            #expect(line.error?.code == "address_refused", "\(line)")
            #expect(line.error?.message.contains("a loopback address") == true, "\(line)")
            // With robots.txt, the URL itself isn't attempted.
            #expect(line.attempts <= 1)
        }
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test("The setting private = false in the environment has the same effect")
    func settingInTheEnvironmentRefuses() async throws {
        let server = try LoopbackServer { _ in .text("secret") }
        let (status, output) = try ChildProcess.run([
            "/usr/bin/env", "BATCHFETCH_PRIVATE=false", "sh", "-c",
            "echo \"$1/a\" | \"$0\" --quiet --results - -", try CommandRun.executable(),
            server.url,
        ])
        #expect(status == 1, "\(output)")
        #expect(output.contains("address_refused"), "\(output)")
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test(
        "Given --no-private with a proxy or a unix socket, then the command exits with 2",
        arguments: [["--proxy", "http://u:s3cret@proxy.test"], ["--unix-socket", "/run/socket"]]
    )
    func otherWaysAreExcluded(options: [String]) async throws {
        for dry in [[], ["--dry-run"]] {
            let ending = try await CommandRun.ending(
                ["--no-private"] + options + dry + ["http://a.test/"]
            )
            #expect(ending.status == 2, "\(ending)")
            #expect(ending.errors.contains("private addresses can't be refused"), "\(ending)")
            #expect(!ending.errors.contains("s3cret"))
        }
    }

    @Test("Without the option, private addresses are fetched")
    func privateAddressesAreFetchedByDefault() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let ending = try await CommandRun.ending("--quiet", "-", input: "\(server.url)/a\n")
        #expect(ending.status == 0, "\(ending)")
        #expect(server.requestCount == 1)
    }
}
