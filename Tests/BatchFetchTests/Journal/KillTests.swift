import Foundation
import TestSupport
import Testing

/// Kills the command at random moments and restarts it.
@Suite(.timeLimit(.minutes(60))) struct KillTests {
    /// The totals over all lists.
    private struct Tally {
        var lists = 0
        var kills = 0
        var urls = 0
        var requests = 0
        /// Kills that left an incomplete last line in the results.
        var torn = 0
    }

    @Test func killedRunResumesAndLosesNoResult() async throws {
        let kills = Rounds.count(6, few: 2, full: 200)
        let urlsPerList = Rounds.count(300, few: 100, full: 5000)
        var generator = SeededGenerator(seed: 7)
        var tally = Tally()
        // A run may end before it is killed, so more lists than needed are allowed.
        while tally.kills < kills, tally.lists < kills * 3 {
            let list = try KilledList(count: urlsPerList)
            try await fetch(list, atMost: kills - tally.kills, &tally, &generator)
            try list.expectAll()
        }
        #expect(tally.kills > kills / 2)
        print(
            "killed \(tally.kills) times in \(tally.lists) lists of \(urlsPerList):",
            "\(tally.urls) results, \(tally.requests - tally.urls) of \(tally.requests) requests",
            "were repeated for want of a result, \(tally.torn) last lines were torn"
        )
    }

    /// Fetches one list, in as many runs as it takes.
    private func fetch(
        _ list: KilledList,
        atMost kills: Int,
        _ tally: inout Tally,
        _ generator: inout SeededGenerator
    ) async throws {
        // Several kills per list, so that the journal must keep the first of several runs.
        var left = min(kills, Rounds.count(3, few: 2, full: 8))
        while true {
            let before = list.server.requestCount
            let finished = Set(try list.wholeLines().map(\.url))
            let run = try CommandRun(list.arguments)
            try run.closeInput()
            if left > 0 {
                try await list.server.requests(
                    count: before + moment(of: list.count - finished.count, left, &generator)
                )
                run.signal(SIGKILL)
            }
            let ending = try await run.ending()
            let again = list.server.requests[before...].map { list.server.url + $0.target }
            #expect(finished.isDisjoint(with: again), "fetched though there was a result")
            guard ending.status == -SIGKILL else {
                #expect(ending.status == 1, "\(ending)")
                break
            }
            left -= 1
            tally.kills += 1
            if try !list.endsWithWholeLine() { tally.torn += 1 }
        }
        tally.lists += 1
        tally.urls += list.count
        tally.requests += list.server.requestCount
    }

    /// The number of further requests after which the run is killed: random, but small enough that
    /// other kills follow. In half of the cases the last kill comes after all requests, while the
    /// run ends.
    private func moment(
        of count: Int,
        _ kills: Int,
        _ generator: inout SeededGenerator
    ) -> Int {
        if kills == 1, generator.isOne(in: 2) { return count }
        return Int.random(in: 0...max(0, count * 2 / (kills + 1)), using: &generator)
    }
}
