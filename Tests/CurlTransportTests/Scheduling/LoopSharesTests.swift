internal import Posix
internal import TestSupport
internal import Testing

@testable internal import CurlTransport

@Suite struct LoopSharesTests {
    @Test("A transfer goes to the loop with the fewest, and to the home loop first")
    func assignmentsAreBalanced() {
        var shares = LoopShares(home: 2, limit: nil)
        shares.open(0)
        let first = (0..<6).map { _ in shares.assign() }
        #expect(first == [2, 0, 2, 0, 2, 0])
        _ = shares.ended(on: 0)
        _ = shares.ended(on: 0)
        let then = (0..<3).map { _ in shares.assign() }
        #expect(then == [0, 0, 2])
    }

    @Test("A loop without a connection of its own gets no transfers")
    func loopWithoutConnectionGetsNothing() {
        var shares = LoopShares(home: 0, limit: 64)
        shares.open(1)
        let loops = Set((0..<100).map { _ in shares.assign() })
        #expect(loops == [0])
        // The home uses all 64, then closes one.
        let unchanged = shares.giveUp(on: 0, keeping: 64)
        #expect(unchanged == [])
        let changed = shares.giveUp(on: 0, keeping: 63)
        #expect(changed == [1, 0])
        let next = shares.assign()
        #expect(next == 1)
        #expect(shares.share(of: 1)?.allowed == 1)
        #expect(shares.share(of: 0) == ConnectionShare(allowed: 32, target: 32, hasSurplus: true))
    }

    @Test(
        "A limit that is too small isn't divided",
        arguments: [(31, 0), (32, 1), (48, 2), (100, 5)]
    )
    func smallLimitIsNotDivided(limit: Int, loops: Int) {
        var shares = LoopShares(home: 0, limit: limit)
        var added = 0
        while shares.hasRoomForLoop, added < 10 {
            added += 1
            shares.open(added)
        }
        #expect(added == loops)
    }

    @Test("After low load, only the home loop gets transfers, and it gets all connections back")
    func homeGetsConnectionsBack() {
        var shares = LoopShares(home: 0, limit: 64)
        shares.open(1)
        _ = shares.giveUp(on: 0, keeping: 10)
        let first = [shares.assign(), shares.assign()]
        #expect(first == [0, 1])
        let isClosed = shares.note(elapsed: CalmPatience.shortest, atHome: 1) { _ in 10 }
        #expect(isClosed)
        #expect(!shares.isSpread)
        let loops = Set((0..<5).map { _ in shares.assign() })
        #expect(loops == [0])
        // Its last transfer keeps a connection, another one is idle.
        let givenUp = shares.giveUp(on: 1, keeping: 2)
        #expect(givenUp == [0, 1])
        #expect(shares.members.map(\.granted) == [62, 2])
        let mustRead = shares.ended(on: 1)
        #expect(mustRead)
        #expect(!shares.isFinished)
        let rest = shares.giveUp(on: 1, keeping: 0)
        #expect(rest == [0, 1])
        #expect(shares.isFinished)
        #expect(shares.share(of: 0) == nil)
        #expect(shares.share(of: 1) == nil)
    }

    @Test("An origin whose loops are busy stays spread, and so does one with many transfers")
    func busyOriginStaysSpread() {
        var shares = LoopShares(home: 0, limit: nil)
        shares.open(1)
        for _ in 0..<64 { _ = shares.assign() }
        for _ in 0..<1_000 {
            let isClosed = shares.note(elapsed: 20_000_000, atHome: 32) { _ in 45 }
            #expect(!isClosed)
        }
        // One loop less could do the work of both.
        let notes = (0..<50).map { _ in
            shares.note(elapsed: 20_000_000, atHome: 32) { $0 == 0 ? 40 : 10 }
        }
        #expect(notes == Array(repeating: false, count: 49) + [true])
    }

    @Test("A window without calm restarts the time until a loop is closed")
    func interruptedCalmStartsAgain() {
        var shares = LoopShares(home: 0, limit: nil)
        shares.open(1)
        for _ in 0..<20 {
            for _ in 0..<49 {
                let isClosed = shares.note(elapsed: 20_000_000, atHome: 0) { _ in 5 }
                #expect(!isClosed)
            }
            let isClosed = shares.note(elapsed: 20_000_000, atHome: 40) { _ in 90 }
            #expect(!isClosed)
        }
    }

    @Test("A short burst between two windows isn't calm")
    func burstIsNotCalm() {
        var shares = LoopShares(home: 0, limit: nil)
        shares.open(1)
        for _ in 0..<30 { _ = shares.assign() }
        for _ in 0..<15 {
            _ = shares.ended(on: 0)
            _ = shares.ended(on: 1)
        }
        let afterBurst = shares.note(elapsed: CalmPatience.shortest, atHome: 0) { _ in 50 }
        #expect(!afterBurst)
        let later = shares.note(elapsed: CalmPatience.shortest, atHome: 0) { _ in 50 }
        #expect(later)
    }

    /// A loop of the simulation: its open connections, and its transfers.
    private struct Loop {
        var connections = 0
        var running = 0
        var waiting = 0
    }

    @Test(
        "Random events never exceed the limit, lose a connection or strand a transfer",
        arguments: 0..<40
    )
    func randomEventsKeepLimit(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let limit = Int.random(in: 32...100, using: &random)
        let loopCount = Int.random(in: 2...4, using: &random)
        var shares = LoopShares(home: 0, limit: limit)
        var loops = [Loop](repeating: Loop(), count: loopCount)

        func check() {
            #expect(shares.members.reduce(0) { $0 + $1.granted } == limit)
            #expect(shares.members.reduce(0) { $0 + $1.target } == limit)
            #expect(shares.members.allSatisfy { $0.granted >= 0 && $0.inFlight >= 0 })
            #expect(loops.reduce(0) { $0 + $1.connections } <= limit)
            for member in shares.members {
                let loop = loops[member.loop]
                #expect(member.inFlight == loop.running + loop.waiting)
                // Whatever waits has a connection to wait for.
                #expect(loop.waiting == 0 || (shares.share(of: member.loop)?.allowed ?? 1) > 0)
            }
        }

        func admit(_ index: Int) {
            let allowed = shares.share(of: index)?.allowed ?? limit
            while loops[index].waiting > 0, loops[index].running < allowed {
                loops[index].waiting -= 1
                loops[index].running += 1
                loops[index].connections = max(loops[index].connections, loops[index].running)
            }
        }

        func end(_ index: Int) {
            guard loops[index].running > 0 else { return }
            loops[index].running -= 1
            let share = shares.share(of: index)
            if share?.hasSurplus == true, loops[index].connections > share?.target ?? 0 {
                loops[index].connections -= 1
            }
            _ = shares.ended(on: index)
        }

        for _ in 0..<5_000 {
            let index = Int.random(in: 0..<loopCount, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<5:
                loops[shares.assign()].waiting += 1
            case 5..<9:
                end(index)
            case 9 where index > 0 && shares.hasRoomForLoop && !shares.isOpen(index):
                shares.open(index)
            case 10:
                _ = shares.note(elapsed: 300_000_000, atHome: 0) { _ in
                    Int.random(in: 0...100, using: &random)
                }
            case 11:
                // Idle connections age out.
                loops[index].connections = loops[index].running
            default:
                break
            }
            for loop in 0..<loopCount {
                _ = shares.giveUp(on: loop, keeping: loops[loop].connections)
                admit(loop)
            }
            check()
        }
        // All transfers end, and the home has all connections in the end.
        for loop in 0..<loopCount {
            while loops[loop].running + loops[loop].waiting > 0 {
                end(loop)
                for other in 0..<loopCount {
                    _ = shares.giveUp(on: other, keeping: loops[other].connections)
                    admit(other)
                }
            }
        }
        for loop in 0..<loopCount { loops[loop].connections = 0 }
        while shares.isSpread {
            _ = shares.note(elapsed: CalmPatience.shortest, atHome: 0) { _ in 0 }
        }
        for loop in 0..<loopCount { _ = shares.giveUp(on: loop, keeping: 0) }
        check()
        #expect(shares.isFinished)
    }

    @Test("Without a limit, counts stay right and closed loops are forgotten", arguments: 0..<20)
    func randomEventsWithoutLimit(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var shares = LoopShares(home: 1, limit: nil)
        var inFlight = [0, 0, 0, 0]
        for _ in 0..<5_000 {
            let loop = Int.random(in: 0..<4, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<4:
                let assigned = shares.assign()
                #expect(shares.isOpen(assigned))
                inFlight[assigned] += 1
            case 4..<6 where inFlight[loop] > 0:
                inFlight[loop] -= 1
                let mustRead = shares.ended(on: loop)
                #expect(!mustRead)
            case 6 where !shares.isOpen(loop):
                shares.open(loop)
            case 7:
                _ = shares.note(elapsed: CalmPatience.shortest, atHome: 0) { _ in 0 }
            default:
                break
            }
            for member in shares.members { #expect(member.inFlight == inFlight[member.loop]) }
            #expect(shares.members.allSatisfy { $0.isOpen || $0.inFlight > 0 })
            #expect(shares.home == 1)
        }
    }

    @Test("An origin that soon needs a further loop again keeps it for longer")
    func patienceGrows() {
        var patience = CalmPatience()
        var now = MonotonicTime(nanoseconds: 0)
        var durations: [Int64] = []
        for _ in 0..<8 {
            patience.closed(at: now)
            now = now.advanced(by: .milliseconds(300))
            patience.opened(at: now)
            // A second origin is passed on at the same time.
            patience.opened(at: now)
            durations.append(patience.duration / CalmPatience.shortest)
        }
        #expect(durations == [2, 4, 8, 16, 32, 64, 64, 64])
        patience.closed(at: now)
        patience.opened(at: now.advanced(by: .seconds(1_000)))
        #expect(patience.duration == CalmPatience.shortest)
    }

    @Test("Under steady load, the loops of an origin don't change", arguments: [1, 16, 64, 1_000])
    func steadyLoadDoesNotFlap(count: Int) {
        var shares = LoopShares(home: 0, limit: nil)
        shares.open(1)
        for _ in 0..<count { _ = shares.assign() }
        var changes = 0
        for _ in 0..<10_000 {
            // A loop's load follows the transfers that it gets.
            let load = shares.isSpread ? 50 : 100
            if shares.note(elapsed: 20_000_000, atHome: count / 2, load: { _ in load }) {
                changes += 1
            }
        }
        #expect(changes == (count < LoopShares.minimumInFlight ? 1 : 0))
    }
}
