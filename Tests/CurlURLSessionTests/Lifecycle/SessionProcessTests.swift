internal import Foundation
internal import TestSupport
internal import Testing

/// What sessions cost their process, what they leave behind in it, and whether it may end; each in a
/// process of its own, because other tests have memory, threads and descriptors too.
@Suite(.timeLimit(.minutes(10))) struct SessionProcessTests {
    @Test("B3: A collected body takes its own memory once")
    func aCollectedBodyTakesItsOwnMemoryOnce() async throws {
        let chunk = [UInt8](repeating: 7, count: 1 << 20)
        let server = try LoopbackServer { request in
            request.path == "/large" ? Reply(body: .repeating(chunk, times: 200)) : .text("small")
        }
        let run = try await ProbeRun("SessionProbe", ["collect", server.url, "0"])
        #expect(run.status == 0, "\(run.output)")
        let size = try #require(run.value("size"))
        #expect(size == 200 << 20)
        #expect(try #require(run.value("peak")) < size / 100 * 115, "\(run.output)")
    }

    @Test("B1: Waiting for an answer costs next to nothing", arguments: [1, 1000])
    func waitingForAnAnswerCostsNextToNothing(_ count: Int) async throws {
        ProcessFacts.raiseDescriptorLimit()
        let never = Gate()
        let settled = Gate()
        let server = try LoopbackServer { request in
            switch request.path {
            case "/moment": .text("now").after(.seconds(1))
            // Timers of libcurl that belong to the connecting last for 200 ms after it.
            case "/settled": .text("now").after(settled).after(.milliseconds(500))
            default: .text("").after(never)
            }
        }
        async let ended = ProbeRun("SessionProbe", ["wait", server.url, String(count)])
        try await server.requests(count: count + 1)
        settled.open()
        let run = try await ended
        #expect(run.status == 0, "\(run.output)")
        #expect(run.value("loops") == 1)
        // In about one second, with a request in it.
        #expect(try #require(run.value("switches")) <= 12, "\(run.output)")
        #expect(try #require(run.value("microseconds")) < 20_000, "\(run.output)")
    }

    /// Of who looks through a list, the last ones would cost several times as much.
    @Test("B5: What a task costs doesn't depend on how many there are")
    func whatATaskCostsDoesNotDependOnHowManyThereAre() async throws {
        let never = Gate()
        let server = try LoopbackServer { _ in .text("").after(never) }
        var costs: [Int] = []
        // Under a sanitizer, what it costs says little.
        let most = Rounds.count(20_000, few: 2_000)
        for count in [most / 10, most] {
            let run = try await ProbeRun("SessionProbe", ["crowd", server.url, String(count)])
            #expect(run.status == 0, "\(run.output)")
            costs.append(try #require(run.value("nanoseconds")))
        }
        #expect(costs[1] < costs[0] * 2, "\(costs)")
    }

    @Test func handlersAreCalledWhileSwiftsThreadsAreBlocked() async throws {
        let server = try LoopbackServer { request in
            request.path == "/end"
                ? .text("end").header("Set-Cookie", "b=2")
                : .redirect(to: "/end").header("Set-Cookie", "a=1")
        }
        let run = try await ProbeRun("SessionProbe", ["starve", server.url, "0"])
        #expect(run.status == 0, "\(run.output)")
        #expect(run.value("called") == 2, "\(run.output)")
    }

    /// Who read them again would find none in their place.
    @Test("B9: A new connection doesn't read the roots anew", .enabled(if: NginxPeer.isAvailable))
    func aNewConnectionDoesNotReadTheRootsAnew() async throws {
        let peer = try await NginxPeer.shared()
        let folder = try TemporaryDirectory()
        let roots = folder.path("roots.pem")
        try FileManager.default.copyItem(atPath: peer.certificates.authority, toPath: roots)
        let run = try await ProbeRun("SessionProbe", ["handshakes", peer.url(.https), "40", roots])
        #expect(run.status == 0, "\(run.output)")
        #expect(run.value("connections") == 40)
        #expect(run.value("refused") == 1)
    }

    @Test("A4: Leaving the process with requests under way is no crash")
    func leavingTheProcessIsNoCrash() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        for turn in 0..<Rounds.count(12, few: 4, full: 200) {
            let run = try await ProbeRun("SessionProbe", ["exit", server.url, String(turn * 7)])
            #expect(run.status == 0, "\(run.output)")
        }
    }

    @Test("A4: Nor is it over TLS", .enabled(if: NginxPeer.isAvailable))
    func leavingTheProcessWithTLSIsNoCrash() async throws {
        let peer = try await NginxPeer.shared()
        let url = peer.url(.https)
        for turn in 0..<Rounds.count(8, few: 4, full: 200) {
            let arguments = ["exit", url, String(turn * 2), peer.certificates.authority]
            let run = try await ProbeRun("SessionProbe", arguments)
            #expect(run.status == 0, "\(run.output)")
        }
    }

    @Test("A3: Sessions that come and go leave nothing behind")
    func sessionsThatComeAndGoLeaveNothingBehind() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let count = Rounds.count(1_500, few: 300, full: 10_000)
        let run = try await ProbeRun("SessionProbe", ["sessions", server.url, String(count)])
        #expect(run.status == 0, "\(run.output)")
        #expect(run.value("before.descriptors") != nil)
        #expect(run.value("after.descriptors") == run.value("before.descriptors"))
        let threads =
            try #require(run.value("after.threads")) - #require(run.value("before.threads"))
        // Those of Dispatch and Swift come and go.
        #expect(threads < 16, "\(run.output)")
        let grown =
            try #require(run.value("after.memory")) - #require(run.value("before.memory"))
        // The address sanitizer keeps 32 MiB of what was freed aside. Of 10,000, that is 4 KiB for each.
        #expect(grown < 40 << 20, "\(run.output)")
    }
}
