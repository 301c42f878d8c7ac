import TestSupport
import Testing

/// What runs of very many URLs take, in a process of their own.
@Suite(.timeLimit(.minutes(60))) struct MemoryTests {
    private static let count = Rounds.count(100_000, few: 20_000, full: 10_000_000)

    /// What doesn't grow with the list, and room for what a sanitizer or an unoptimised build takes.
    private static let base = Rounds.count(64, few: 1024, full: 96) << 20

    @Test(arguments: [1000, 1_000_000])
    func whatARunTakesDoesNotGrowWithItsList(hosts: Int) async throws {
        let run = try await ProbeRun("BatchProbe", ["\(Self.count)", "\(hosts)", "off"])
        #expect(run.value("done") == Self.count, "\(run.output)")
        let peak = try #require(run.value("peak")) * 1024
        #expect(peak < Self.base, "\(run.output)")
    }

    /// What waits for a host that doesn't answer is on the disk.
    @Test(arguments: [10, 100_000])
    func whatWaitsForASilentHostTakesNoMemory(hosts: Int) async throws {
        let run = try await ProbeRun("BatchProbe", ["sorted", "\(Self.count)", "\(hosts)", "off"])
        // Six in flight have been cancelled.
        #expect(run.value("done") == Self.count / 2 + 6, "\(run.output)")
        #expect(run.value("waiting") == Self.count / 2 - 6, "\(run.output)")
        let peak = try #require(run.value("peak")) * 1024
        #expect(peak < Self.base, "\(run.output)")
    }

    /// 10 million need less than 256 MiB, with all that it takes to know what has been seen.
    @Test func knowingWhatHasBeenSeenTakesSixteenBytesEachAtMost() async throws {
        let run = try await ProbeRun("BatchProbe", ["\(Self.count)", "1000", "exact"])
        #expect(run.value("done") == Self.count, "\(run.output)")
        let peak = try #require(run.value("peak")) * 1024
        #expect(peak < Self.base + 16 * Self.count, "\(run.output)")
    }
}
