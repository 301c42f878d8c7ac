internal import Posix
internal import TestSupport
internal import Testing

@testable internal import CurlTransport

@Suite struct LoadMeterTests {
    private func time(_ milliseconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: milliseconds * 1_000_000)
    }

    @Test("A window has the part of the time in which the loop didn't wait")
    func windowHasBusyPart() {
        var meter = LoadMeter(at: time(100))
        meter.beginWait(at: time(105))
        let early = meter.endWait(at: time(110))
        #expect(early == nil)
        meter.beginWait(at: time(120))
        let window = meter.endWait(at: time(130))
        #expect(window == LoadWindow(percent: 50, elapsed: 30_000_000))
        meter.beginWait(at: time(130))
        let idle = meter.endWait(at: time(5130))
        #expect(idle == LoadWindow(percent: 0, elapsed: 5_000_000_000))
    }

    @Test("Busy parts of random turns are between 0 and 100 percent and add up", arguments: 0..<20)
    func busyPartsAddUp(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var now: Int64 = 1_000_000
        var meter = LoadMeter(at: MonotonicTime(nanoseconds: now))
        let start = now
        var busy = 0.0
        var measured = 0.0
        var windows: Int64 = 0
        for _ in 0..<5_000 {
            let work = Int64.random(in: 0...3_000_000, using: &random)
            now += work
            busy += Double(work)
            meter.beginWait(at: MonotonicTime(nanoseconds: now))
            now += Int64.random(in: 0...3_000_000, using: &random)
            guard let window = meter.endWait(at: MonotonicTime(nanoseconds: now)) else { continue }
            #expect((0...100).contains(window.percent))
            #expect(window.elapsed >= LoadMeter.windowLength)
            windows += window.elapsed
            measured += Double(window.elapsed) * Double(window.percent) / 100
        }
        #expect(windows <= now - start)
        #expect(abs(busy - measured) / busy < 0.05)
    }

    @Test("A loop is overloaded after some busy windows, and then after some more")
    func overloadNeedsSeveralWindows() {
        var overload = Overload()
        let busy = LoadWindow(percent: LoadWindow.overload, elapsed: 20_000_000)
        let calm = LoadWindow(percent: LoadWindow.overload - 1, elapsed: 20_000_000)
        let notes = [busy, busy, calm, busy, busy, busy, busy].map { overload.note($0) }
        #expect(notes == [false, false, false, false, false, true, false])
    }

    @Test("A loop that has passed on an origin waits for the effect")
    func overloadSettles() {
        var overload = Overload()
        overload.settle()
        let busy = LoadWindow(percent: 100, elapsed: 20_000_000)
        let notes = (0..<13).map { _ in overload.note(busy) }
        #expect(notes == Array(repeating: false, count: 12) + [true])
    }

    @Test("An idle loop takes over work, and a busy one only if it has far fewer transfers")
    func candidateHasRoom() {
        let idle = LoopCandidate(loop: 1, load: 10, transfers: 500)
        let busy = LoopCandidate(loop: 2, load: 90, transfers: 100)
        #expect(LoopCandidate.best(of: [busy, idle], besides: 100) == 1)
        #expect(LoopCandidate.best(of: [busy], besides: 199) == nil)
        #expect(LoopCandidate.best(of: [busy], besides: 200) == 2)
        #expect(LoopCandidate.best(of: [], besides: 200) == nil)
    }

    @Test("A loop that waits for longer than a window counts as idle")
    func waitingLoopIsIdle() {
        let load = LoopLoad()
        load.publish(LoadWindow(percent: 95, elapsed: 20_000_000), transfers: 7)
        #expect(load.percent(at: time(50)) == 95)
        load.beginWait(at: time(100))
        #expect(load.percent(at: time(110)) == 95)
        #expect(load.percent(at: time(130)) == 0)
        load.endWait()
        #expect(load.percent(at: time(130)) == 95)
        #expect(load.candidate(3, at: time(130)).transfers == 7)
    }
}
