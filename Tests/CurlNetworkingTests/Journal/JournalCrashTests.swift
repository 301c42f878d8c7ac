internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Kills processes and lets the next one continue their journal.
@Suite(.timeLimit(.minutes(10))) struct JournalCrashTests {
    private let fixture: JournalFixture
    private static let size = 1_500_000

    init() throws {
        fixture = try JournalFixture()
    }

    private static func content(_ request: RecordedRequest) -> Content? {
        Int(request.path.dropFirst()).map { Content.numbered($0, count: size) }
    }

    private func server() throws -> LoopbackServer {
        try LoopbackServer { Self.content($0)?.reply(to: $0) ?? .status(404) }
    }

    private func expectAll(
        _ count: Int,
        _ hint: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let names = try fixture.files.contents()
        let expected = (0..<count).map(String.init).sorted()
        #expect(names == expected, "\(hint)", sourceLocation: sourceLocation)
        for index in 0..<count {
            let isWhole =
                try fixture.files.read("\(index)")
                == Content.numbered(index, count: Self.size).bytes
            #expect(isWhole, "\(index) \(hint)", sourceLocation: sourceLocation)
        }
    }

    @Test(
        "S-02: If a process is killed before any step, the next process completes the job",
        arguments: JournalStep.allCases
    )
    func nextProcessCompletesJobKilledBeforeAnyStep(step: JournalStep) async throws {
        let server = try server()
        let killed = try await fixture.probe([server.url, "2", step.rawValue, "1"])
        #expect(killed.status == 128 + 9, "\(killed.output)")
        let next = try await fixture.probe([server.url, "2"])
        #expect(next.status == 0, "\(next.output)")
        #expect(next.output.contains("1 finished"))
        #expect(next.output.hasSuffix("over\n"))
        try expectAll(2)
        let requests = server.requests(for: "/1")
        let isWhole: Set<JournalStep> = [
            .synchronizePart, .recordMove, .move, .synchronizeName, .recordEnd, .recordDelivery,
        ]
        let isUnasked: Set<JournalStep> = [.addJob, .openPart, .recordAttempt]
        if isWhole.contains(step) || isUnasked.contains(step) {
            // A completed file isn't requested again.
            #expect(requests.count == 1)
        } else {
            #expect(requests.count == 2)
            #expect((requests.last?.header("Range") != nil) == (step == .recordBytes))
        }
        // A reported end isn't reported again.
        let last = try await fixture.probe([server.url, "2"])
        #expect(last.output == "over\n")
        #expect(server.requests(for: "/1").count == requests.count)
    }

    @Test("S-02, Q-13: If a process is killed at any moment, all files are complete in the end")
    func allFilesAreCompleteAfterKillsAtAnyMoment() async throws {
        let count = 12
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let seeds = Watched(generator)
        let marks = EventRecorder<Void>()
        let server = try LoopbackServer { request in
            guard let content = Self.content(request) else { return .status(404) }
            let rest = content.bytes[(content.offset(asked: request) ?? 0)...]
            let place = seeds.update { Int.random(in: 0...rest.count, using: &$0) }
            let mark = Gate()
            mark.onOpen { marks.record(()) }
            var reply = content.reply(to: request)
            guard reply.status != 416 else { return reply }
            reply.headers.append(("Content-Length", String(rest.count)))
            // The gate opens in the middle of the body; the rest follows slowly.
            reply.body = .steps(
                [.send([UInt8](rest.prefix(place))), .open(mark), .after(.milliseconds(20))]
                    + [.send([UInt8](rest.dropFirst(place)))]
            )
            return reply
        }
        var delivered: [String] = []
        var requests: [String: Int] = [:]
        var hasEnded = false
        for round in 0..<100 where !hasEnded {
            let process = try ChildProcess(try fixture.command([server.url, "\(count)"]))
            if round < 12 {
                let ahead = Int.random(in: 1...4, using: &generator)
                let seen = marks.events.count
                let ending = Task { try await NativeThread.run { process.waitForEnd() } }
                let marked = Task { try await marks.wait(count: seen + ahead) }
                // Waits for whichever comes first.
                async let end: Void = {
                    _ = try? await ending.value; marked.cancel()
                }()
                _ = try? await marked.value
                kill(process.id, SIGKILL)
                await end
            }
            let status = try await NativeThread.run { process.waitForEnd() }
            #expect(status == 0 || status == 128 + 9, "seed \(seed): \(process.output)")
            hasEnded = status == 0
            let lines = process.output.split(separator: "\n").filter { $0.contains("finished") }
            for name in requests.keys {
                let isSame = server.requests(for: "/" + name).count == requests[name]
                #expect(isSame, "seed \(seed): \(name) was finished, and asked for again")
            }
            for line in lines {
                let name = String(line.prefix { $0 != " " })
                delivered.append(name)
                requests[name] = server.requests(for: "/" + name).count
            }
        }
        #expect(hasEnded, "seed \(seed)")
        #expect(Set(delivered).count == count, "seed \(seed)")
        try expectAll(count, "seed \(seed)")
    }

    @Test("S-02: If the disk is full, the job fails and keeps the bytes received")
    func fullDiskFailsTheJobAndKeepsItsBytes() async throws {
        let server = try server()
        // The maximum file size acts like a full disk for this file.
        let probe = try await fixture.probe([server.url, "1", "limit", "200000"])
        #expect(probe.status == 0, "\(probe.output)")
        #expect(probe.output.contains("0 failed The journal cannot write"), "\(probe.output)")
        #expect(probe.output.contains("File too large"))
        let journal = try fixture.journal()
        let job = try await journal.job("0")
        #expect((job.state, job.bytes) == (.failed, 200_000))
        try await journal.resume("0")
        #expect(try await journal.outcome(of: "0").state == .finished)
        #expect(server.requests.last?.header("Range") == "bytes=200000-")
        try expectAll(1)
        await journal.close()
    }
}
