import Foundation
import TestSupport
import Testing

/// The command's options for limits and timeouts, as the servers and the summary show them.
@Suite(.timeLimit(.minutes(10))) struct LimitCommandTests {
    @Test("--min-speed ends a body that arrives byte by byte, with a timeout")
    func minimumSpeedEndsASlowBody() async throws {
        let drops = (0..<2000).flatMap { _ in [Step.send("x"), .after(.milliseconds(50))] }
        let server = try LoopbackServer { _ in
            .steps([.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")] + drops)
        }
        let run = try CommandRun([
            "--min-speed", "1k", "--min-speed-time", "1s", "--retries", "0", "--discard", "-",
        ])
        try run.write("\(server.url)/slow\n")
        try run.closeInput()
        let ending = try await run.ending()
        #expect(ending.status == 1, "\(ending)")
        #expect(
            ending.output.contains("  1  timeout, first on line 1: the body arrived too slowly: "),
            "\(ending)"
        )
    }

    @Test("--max-waits gives up a host that only answers with Retry-After")
    func hostThatOnlyRequestsPausesIsGivenUp() async throws {
        let server = try LoopbackServer { _ in .status(429).header("Retry-After", "1") }
        let run = try CommandRun(["--max-waits", "1", "--retries", "0", "--discard", "-"])
        try run.write((0..<200).map { "\(server.url)/\($0)\n" }.joined())
        try run.closeInput()
        let ending = try await run.ending()
        #expect(ending.status == 1, "\(ending)")
        #expect(ending.output.contains("  host_unavailable, first on line "), "\(ending)")
        #expect(server.requestCount <= 7)
    }

    @Test(
        "A limit without a meaning is refused, with its name",
        arguments: [
            (["--max-waits", "0"], "--max-waits is 0: use 1 or more."),
            (["--per-domain", "0"], "--per-domain is 0: use 1 or more."),
            (["--per-address", "-1"], "--per-address is -1: use 1 or more."),
            (["--host-rule", "*.x.org: concurrency=1, any"], "“any” is neither name=value nor"),
            (["--max-time", "0"], "“0” is not a timeout: use more than zero."),
            (["--max-time", "soon"], "“soon” is not a duration: use 2s, 500ms, 5m or 1h."),
            (["--max-time", "-1s"], "“-1s” is not a duration: use 2s, 500ms, 5m or 1h."),
            (["--connect-timeout", "-1s"], "“-1s” is not a duration: use 2s, 500ms, 5m or 1h."),
            (
                ["--grace", "99999999999h"],
                "“99999999999h” is too long: use at most 1,000 years (8760000h)."
            ),
            (["--interface", ""], "--interface is empty: name an interface or a local address."),
            (["--unix-socket", ""], "--unix-socket is empty: name a socket."),
            (["--min-speed", "0"], "“0” is not a number of bytes: use 500k, 20M, 1.5G."),
            (["--min-speed-time", "5s"], "--min-speed-time needs --min-speed: add it."),
            (["--min-speed-time", "0s"], "“0s” is not a timeout: use more than zero."),
        ]
    )
    func limitWithoutAMeaningIsRefused(arguments: [String], message: String) async throws {
        let ending = try await CommandRun.ending(arguments + ["--discard", "-"])
        #expect(ending.status == 2 && ending.errors.contains(message), "\(ending)")
    }
}
