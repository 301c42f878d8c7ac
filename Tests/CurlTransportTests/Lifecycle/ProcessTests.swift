internal import TestSupport
internal import Testing

/// What transports leave in their process, and which failures they survive.
///
/// Each test runs its own process, because other tests have threads and descriptors too.
@Suite(.timeLimit(.minutes(30))) struct ProcessTests {
    private func expectNothingLeft(_ run: ProbeRun) {
        #expect(run.status == 0, "\(run.output)")
        #expect(run.value("before.threads") == 0)
        #expect(run.value("after.threads") == 0)
        #expect(run.value("after.descriptors") == run.value("before.descriptors"))
        #expect(run.value("after.descriptors") != nil)
    }

    @Test func thousandTransportsLeakNothing() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let count = Rounds.count(1_000, few: 200)
        let run = try await ProbeRun("TransportProbe", ["cycles", server.url, String(count)])
        expectNothingLeft(run)
        #expect(server.requestCount == count + 20)
    }

    @Test func shutDownTransportHoldsNoResources() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let run = try await ProbeRun("TransportProbe", ["hold", server.url, "20"])
        expectNothingLeft(run)
        // Each transport has two loops and a file thread. A loop without work may have no name yet.
        #expect((40...60).contains(run.value("during.threads") ?? 0), "\(run.output)")
    }

    @Test func releasingTransportEndsThreads() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        expectNothingLeft(try await ProbeRun("TransportProbe", ["forget", server.url, "50"]))
    }

    @Test("Child processes inherit no descriptor of a transport")
    func childrenInheritNoDescriptor() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let run = try await ProbeRun("TransportProbe", ["children", server.url, "3"])
        #expect(run.status == 0 && run.value("child") == 0 && run.value("status") == 0)
        // The three standard descriptors, and the folder that the child itself has open.
        let links = run.output.split(separator: "\n").filter { $0.contains(" -> ") }
        #expect(links.count == 4, "\(run.output)")
    }

    @Test func exitWithRequestsInFlightDoesNotCrash() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let count = Rounds.count(50, few: 8)
        for turn in 0..<count {
            let run = try await ProbeRun(
                "TransportProbe",
                ["exit", server.url, String(turn * 350 / count)]
            )
            #expect(run.status == 0, "\(run.output)")
        }
    }

    @Test(.enabled(if: NginxPeer.isAvailable))
    func exitWithTLSRequestsInFlightDoesNotCrash() async throws {
        let peer = try await NginxPeer.shared()
        let url = peer.url(.https, "/1m.bin")
        let count = Rounds.count(50, few: 8)
        for turn in 0..<count {
            let after = String(turn * 100 / count)
            let run = try await ProbeRun(
                "TransportProbe",
                ["exit", url, after, peer.certificates.authority]
            )
            #expect(run.status == 0, "\(run.output)")
        }
    }

    @Test(
        "TLS secrets are written to SSLKEYLOGFILE, unless the program disables that at its start",
        .enabled(if: NginxPeer.isAvailable),
        arguments: [false, true]
    )
    func secretsAreLoggedUnlessDisabled(_ isDisabled: Bool) async throws {
        let peer = try await NginxPeer.shared()
        let folder = try TemporaryDirectory()
        let run = try await ProbeRun(
            "TransportProbe",
            [
                "keylog", peer.url(.https, "/hello.txt"), isDisabled ? "1" : "0",
                peer.certificates.authority,
            ],
            environment: ["SSLKEYLOGFILE": folder.path("keys")]
        )
        #expect(run.status == 0, "\(run.output)")
        #expect(run.value("path") == (isDisabled ? 0 : 1))
        // Without the variable, there is nothing to disable.
        #expect(run.value("late") == (isDisabled ? 0 : 1))
        let keys = try? TemporaryDirectory.bytes(ofFile: folder.path("keys"))
        let text = String(decoding: keys ?? [], as: UTF8.self)
        let hasKeys = text.contains("TRAFFIC_SECRET") || text.contains("CLIENT_RANDOM")
        #expect(hasKeys == !isDisabled)
    }

    @Test func brokenPipeRaisesNoSignal() async throws {
        let server = try LoopbackServer.scripted([.readHead, .readBodyBytes(1000), .close])
        let run = try await ProbeRun("TransportProbe", ["broken", server.url, "100"])
        #expect(run.status == 0, "\(run.output)")
        #expect(run.value("failures") == 100)
        #expect(run.value("default") == 1)
    }

    @Test(.enabled(if: NginxPeer.isAvailable))
    func brokenPipeUnderTLSRaisesNoSignal() async throws {
        let peer = try await NginxPeer.shared()
        // nginx refuses the upload to a file: it answers early and closes the connection.
        let url = peer.url(.http1Only, "/hello.txt")
        let run = try await ProbeRun(
            "TransportProbe",
            ["broken", url, "50", peer.certificates.authority]
        )
        #expect(run.status == 0, "\(run.output)")
        #expect(run.value("default") == 1)
    }

    @Test("Trust roots in memory can be prepared although no more files can be opened")
    func rootsNeedNoFileWithoutDescriptors() async throws {
        let run = try await ProbeRun("TransportProbe", ["roots", "-", "0"])
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output == "prepared\n")
    }

    @Test func unwatchableSocketIsAnError() async throws {
        let run = try await ProbeRun("TransportProbe", ["unwatched", "-", "0"])
        #expect(run.status == 0, "\(run.output)")
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.first == "before=success")
        let error = try #require(lines.dropFirst().first)
        #expect(error.hasPrefix("new=resourceExhausted (tcp): the system can't watch another"))
        #expect(error.contains("epoll_ctl: No space left on device"))
        // Other transfers continue.
        #expect(lines.last == "after=success")
    }

    @Test(arguments: [1, 1000])
    func waitingForResponseUsesLittleCPU(count: Int) async throws {
        ProcessFacts.raiseDescriptorLimit()
        let never = Gate()
        let settled = Gate()
        let server = try LoopbackServer { request in
            switch request.path {
            case "/moment": .text("now").after(.seconds(1))
            // libcurl's timers for connecting last 200 ms longer than the connecting.
            case "/settled": .text("now").after(settled).after(.milliseconds(500))
            default: .text("").after(never)
            }
        }
        async let ended = ProbeRun("TransportProbe", ["idle", server.url, String(count)])
        try await server.requests(count: count + 1)
        settled.open()
        let run = try await ended
        #expect(run.status == 0, "\(run.output)")
        #expect(run.value("loops") == 1)
        // Measured over about one second.
        #expect(try #require(run.value("switches")) <= 5)
        #expect(try #require(run.value("nanoseconds")) < 2_000_000)
    }
}
