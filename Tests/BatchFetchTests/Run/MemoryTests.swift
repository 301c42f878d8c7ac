import TestSupport
import Testing

/// The memory of runs with very many URLs or an endless body, each in a separate process.
@Suite(.timeLimit(.minutes(60))) struct MemoryTests {
    private static let count = Rounds.count(100_000, few: 20_000, full: 10_000_000)

    /// The memory that doesn't depend on the list, in bytes. It includes the pages of libraries, of
    /// which the kernel maps more or fewer, and extra for a sanitizer or an unoptimised build.
    private static let base = Rounds.count(96, few: 1024) << 20

    @Test(arguments: [1000, 1_000_000])
    func memoryDoesNotGrowWithTheList(hosts: Int) async throws {
        let run = try await ProbeRun("BatchProbe", ["\(Self.count)", "\(hosts)", "off"])
        #expect(run.value("done") == Self.count, "\(run.output)")
        let peak = try #require(run.value("peak")) * 1024
        #expect(peak < Self.base, "\(run.output)")
    }

    /// The URLs that wait for a silent host are on disk.
    @Test(arguments: [10, 100_000])
    func urlsQueuedForASilentHostTakeNoMemory(hosts: Int) async throws {
        let run = try await ProbeRun("BatchProbe", ["sorted", "\(Self.count)", "\(hosts)", "off"])
        // Six URLs were in flight and are cancelled.
        #expect(run.value("done") == Self.count / 2 + 6, "\(run.output)")
        #expect(run.value("waiting") == Self.count / 2 - 6, "\(run.output)")
        let peak = try #require(run.value("peak")) * 1024
        #expect(peak < Self.base, "\(run.output)")
    }

    /// 10 million URLs need less than 256 MiB, including the set of URLs that have been seen.
    @Test func deduplicationTakesAtMostSixteenBytesPerURL() async throws {
        let run = try await ProbeRun("BatchProbe", ["\(Self.count)", "1000", "exact"])
        #expect(run.value("done") == Self.count, "\(run.output)")
        let peak = try #require(run.value("peak")) * 1024
        #expect(peak < Self.base + 16 * Self.count, "\(run.output)")
    }

    @Test(
        "A decompression bomb is stored in bounded memory, and at the limit its file is removed",
        .serialized,
        arguments: Bomb.all
    )
    func storedBombTakesBoundedMemory(_ bomb: Bomb) async throws {
        let folder = try TemporaryDirectory()
        let server = try LoopbackServer.scripted([.readHead] + bomb.steps)
        let limit = 256 << 20
        let arguments = ["body", server.url + "/bomb", folder.path, "\(limit)"]
        let run = try await ProbeRun("BatchProbe", arguments)
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.contains("failure=body_too_large\n"), "\(run.output)")
        #expect(try #require(run.value("bytes")) > limit, "\(run.output)")
        let peak = try #require(run.value("peak")) * 1024
        #expect(peak < Self.base, "\(run.output)")
        #expect(try TemporaryDirectory.files(in: folder.path).isEmpty)
    }
}
