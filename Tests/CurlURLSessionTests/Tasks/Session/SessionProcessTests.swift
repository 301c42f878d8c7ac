internal import Foundation
internal import TestSupport
internal import Testing

/// Tests the cost of sessions, what they leave behind, and the exit of their process.
///
/// Each test starts a separate process, because other tests also use memory, threads and
/// descriptors.
@Suite(.timeLimit(.minutes(30))) struct SessionProcessTests {
    @Test("B3: Collecting a body takes little more memory than its size")
    func collectedBodyTakesItsOwnMemoryOnce() async throws {
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

    @Test(
        "Given a file that can't be written, when a download runs, then its error has the reason",
        arguments: [("missing", 0, ENOENT), ("", 64 << 10, EFBIG)]
    )
    func downloadThatCantBeWrittenHasTheReason(
        subfolder: String,
        limit: Int,
        reason: Int32
    ) async throws {
        let folder = try TemporaryDirectory()
        let body = [UInt8](repeating: 7, count: 1 << 20)
        let server = try LoopbackServer { _ in Reply(body: .bytes(body)) }
        let run = try await ProbeRun(
            "SessionProbe",
            ["download", server.url, "\(limit)"],
            environment: ["TMPDIR": folder.path(subfolder)]
        )
        #expect(run.status == 0, "\(run.output)")
        #expect(run.value("error") == URLError.Code.cannotWriteToFile.rawValue, "\(run.output)")
        #expect(run.value("errno") == Int(reason), "\(run.output)")
    }

    /// Runs a command of the probe that receives a bomb.
    private static func run(
        _ command: String,
        _ bomb: Bomb,
        _ count: Int = 40,
        environment: [String: String] = [:]
    ) async throws -> ProbeRun {
        let server = try LoopbackServer { request in
            request.path == "/bomb" ? .steps(bomb.steps) : .text("beside")
        }
        let run = try await ProbeRun(
            "SessionProbe",
            [command, server.url, "\(count)"],
            environment: environment
        )
        #expect(run.status == 0, "\(run.output)")
        // Without a bound it would be gigabytes. Sanitizers keep freed memory.
        let peak = try #require(run.value("peak"))
        #expect(peak < Rounds.count(48, few: 400) << 20, "\(run.output)")
        return run
    }

    @Test(
        "A decompression bomb takes bounded memory while a slow delegate blocks",
        arguments: Bomb.all
    )
    func bombTakesBoundedMemoryWhileDelegateBlocks(_ bomb: Bomb) async throws {
        let run = try await Self.run("bomb-delegate", bomb)
        #expect(run.value("ended") == nil, "\(run.output)")
        // The window, the piece that fills it, and the bytes that the delegate has.
        #expect(try #require(run.value("held")) < 2 << 20, "\(run.output)")
    }

    @Test(
        "A decompression bomb takes bounded memory while its bytes are read slowly",
        arguments: Bomb.all
    )
    func bombTakesBoundedMemoryWhileBytesAreReadSlowly(_ bomb: Bomb) async throws {
        let run = try await Self.run("bomb-bytes", bomb)
        #expect(run.value("read") == 40 << 16, "\(run.output)")
        // The window, the piece that fills it, and the iterator's own bytes.
        #expect(try #require(run.value("held")) < 2 << 20, "\(run.output)")
    }

    @Test("A decompression bomb that is collected fails at the limit", arguments: Bomb.all)
    func collectedBombFailsAtTheLimit(_ bomb: Bomb) async throws {
        let run = try await Self.run("bomb-collect", bomb)
        let code = URLError.Code.dataLengthExceedsMaximum.rawValue
        #expect(run.value("error") == code, "\(run.output)")
    }

    @Test(
        "A decompression bomb takes bounded memory while it is downloaded to a file",
        .serialized,
        arguments: Bomb.all
    )
    func downloadedBombTakesBoundedMemory(_ bomb: Bomb) async throws {
        let folder = try TemporaryDirectory()
        let environment = ["TMPDIR": folder.path]
        let run = try await Self.run("bomb-download", bomb, 64, environment: environment)
        #expect(try #require(run.value("written")) >= 64 << 20, "\(run.output)")
        #expect(run.value("error") == URLError.Code.cancelled.rawValue, "\(run.output)")
        #expect(try folder.contents().isEmpty)
    }

    @Test("B1: Waiting for a response takes next to no CPU time", arguments: [1, 1000])
    func waitingTakesNoCPUTime(_ count: Int) async throws {
        ProcessFacts.raiseDescriptorLimit()
        let never = Gate()
        let settled = Gate()
        let server = try LoopbackServer { request in
            switch request.path {
            case "/moment": .text("now").after(.seconds(1))
            // libcurl's timers for connecting run for 200 ms after the connection is made.
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
        // In about one second, including one request.
        #expect(try #require(run.value("switches")) <= 12, "\(run.output)")
        #expect(try #require(run.value("microseconds")) < 20_000, "\(run.output)")
    }

    /// If tasks were searched for in a list, the last ones would cost several times as much.
    @Test("B5: The cost of a task doesn't depend on the number of tasks")
    func costOfATaskIsIndependentOfTheirNumber() async throws {
        let never = Gate()
        let server = try LoopbackServer { _ in .text("").after(never) }
        var costs: [Int] = []
        // Under a sanitizer, the cost says little.
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

    /// The file with the roots is removed after the first connection.
    @Test("B9: New connections don't reload root certificates", .enabled(if: NginxPeer.isAvailable))
    func newConnectionDoesNotReloadRootCertificates() async throws {
        let peer = try await NginxPeer.shared()
        let folder = try TemporaryDirectory()
        let roots = folder.path("roots.pem")
        try FileManager.default.copyItem(atPath: peer.certificates.authority, toPath: roots)
        let run = try await ProbeRun("SessionProbe", ["handshakes", peer.url(.https), "40", roots])
        #expect(run.status == 0, "\(run.output)")
        #expect(run.value("connections") == 40)
        #expect(run.value("refused") == 1)
    }

    @Test("A4: Exiting the process with requests in flight doesn't crash")
    func exitDuringRequestsDoesNotCrash() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        for turn in 0..<Rounds.count(12, few: 4, full: 200) {
            let run = try await ProbeRun("SessionProbe", ["exit", server.url, String(turn * 7)])
            #expect(run.status == 0, "\(run.output)")
        }
    }

    @Test("A4: Exiting during TLS requests doesn't crash", .enabled(if: NginxPeer.isAvailable))
    func exitDuringTLSRequestsDoesNotCrash() async throws {
        let peer = try await NginxPeer.shared()
        let url = peer.url(.https)
        for turn in 0..<Rounds.count(8, few: 4, full: 200) {
            let arguments = ["exit", url, String(turn * 2), peer.certificates.authority]
            let run = try await ProbeRun("SessionProbe", arguments)
            #expect(run.status == 0, "\(run.output)")
        }
    }

    @Test("A3: Invalidated sessions leave no descriptors, threads or memory behind")
    func invalidatedSessionsLeakNothing() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let count = Rounds.count(1_500, few: 300, full: 10_000)
        let run = try await ProbeRun("SessionProbe", ["sessions", server.url, String(count)])
        #expect(run.status == 0, "\(run.output)")
        #expect(run.value("before.descriptors") != nil)
        #expect(run.value("after.descriptors") == run.value("before.descriptors"))
        let threads =
            try #require(run.value("after.threads")) - #require(run.value("before.threads"))
        // The threads of Dispatch and Swift come and go.
        #expect(threads < 16, "\(run.output)")
        let grown =
            try #require(run.value("after.memory")) - #require(run.value("before.memory"))
        // The address sanitizer holds back 32 MiB of freed memory. For 10,000 sessions, the limit
        // is 4 KiB each.
        #expect(grown < 40 << 20, "\(run.output)")
    }
}
