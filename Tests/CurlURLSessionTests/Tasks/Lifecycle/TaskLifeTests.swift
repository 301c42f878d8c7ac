internal import TestSupport
internal import Testing

@testable internal import CurlURLSession

@Suite struct TaskLifeTests {
    @Test func taskStartsWithTheFirstResume() {
        var life = TaskLife()
        #expect(life.state == .suspended)
        #expect(life.resume() == .begin)
        #expect(life.state == .running)
        #expect(life.resume() == .none)
        #expect(life.suspend() == .hold)
        #expect(life.state == .suspended)
        #expect(life.resume() == .proceed)
    }

    @Test func suspensionsAreCounted() {
        var life = TaskLife()
        #expect(life.suspend() == .none)
        #expect(life.resume() == .none)
        #expect(life.resume() == .begin)
        #expect(life.suspend() == .hold)
        #expect(life.suspend() == .none)
        #expect(life.resume() == .none)
        #expect(life.isSuspended)
        #expect(life.resume() == .proceed)
    }

    @Test func cancellingHasEffectOnceAtAnyMoment() {
        var life = TaskLife()
        #expect(life.cancel() == true)
        #expect(life.cancel() == false)
        #expect(life.state == .canceling)
        #expect(life.resume() == .none)
        #expect(life.suspend() == .none)
        #expect(life.complete() == true)
        #expect(life.state == .completed)
    }

    @Test("A task is in progress from its start until it is cancelled or completes")
    func taskIsInProgressFromItsStart() {
        for cancels in [true, false] {
            var life = TaskLife()
            #expect(!life.isInProgress)
            #expect(life.resume() == .begin)
            #expect(life.isInProgress)
            #expect(life.suspend() == .hold)
            #expect(life.isInProgress)
            let hasEnded = cancels ? life.cancel() : life.complete()
            #expect(hasEnded)
            #expect(!life.isInProgress)
        }
    }

    @Test func taskCompletesOnceInAnyOrderOfEvents() {
        var random = SeededGenerator(seed: 17)
        for _ in 0..<2000 {
            var life = TaskLife()
            var completions = 0
            var begins = 0
            for _ in 0..<12 {
                switch Int.random(in: 0..<4, using: &random) {
                case 0: if life.resume() == .begin { begins += 1 }
                case 1: _ = life.suspend()
                case 2: _ = life.cancel()
                default: if life.complete() { completions += 1 }
                }
            }
            if life.complete() { completions += 1 }
            #expect(completions == 1)
            #expect(begins <= 1)
            #expect(life.state == .completed)
        }
    }
}
