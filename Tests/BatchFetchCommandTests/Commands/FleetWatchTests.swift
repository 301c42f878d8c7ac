import Foundation
import TestSupport
import Testing

/// `batchfetch fleet status --watch` on a terminal, which `script` makes.
@Suite(
    .enabled(if: PostgresPeer.isAvailable),
    .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script")),
    .timeLimit(.minutes(10))
)
struct FleetWatchTests {
    @Test("A terminal shows the status until the run is done, in colours unless NO_COLOR is set")
    func statusIsRedrawn() async throws {
        let peer = try await PostgresPeer.start()
        let folder = try TemporaryDirectory()
        let program = try CommandRun.executable()
        let gates = [Gate(), Gate()]
        for (gate, color) in zip(gates, ["NO_COLOR=", "NO_COLOR=1"]) {
            let server = try LoopbackServer { _ in .text("x").after(gate) }
            let list = try folder.write(
                (0..<3).map { "\(server.url)/\($0)\n" }.joined(),
                to: "list"
            )
            let run = color == "NO_COLOR=" ? "colours" : "plain"
            for arguments in [["create", run, "--discard"], ["add", run, list]] {
                let ending = try await CommandRun.ending(
                    ["fleet"] + arguments + ["--queue", peer.address]
                )
                #expect(ending.status == 0, "\(ending)")
            }
            let watcher = try CommandRun(
                program: "/usr/bin/script",
                [
                    "-qefc",
                    "env LC_ALL=C.UTF-8 TERM=xterm \(color) \(program) fleet status \(run) --watch "
                        + "--queue '\(peer.address)'",
                    "/dev/null",
                ]
            )
            _ = try await watcher.output(containing: "no worker")
            let worker = try CommandRun(["fleet", "work", run, "--queue", peer.address])
            try await server.requests(count: 1)
            _ = try await watcher.output(containing: "last seen")
            gate.open()
            #expect(try await worker.ending().status == 0)
            let ending = try await watcher.ending()
            #expect(ending.status == 0, "\(ending)")
            let text = ending.output
            #expect(text.contains("\u{1B}[J"), "\(text)")
            #expect(text.contains("\u{1B}[36m") == (run == "colours"), "\(text)")
            #expect(text.contains("\(run) (open): 3 fetched, 0 failed, 0 pending"), "\(text)")
        }
        peer.stop()
    }
}
