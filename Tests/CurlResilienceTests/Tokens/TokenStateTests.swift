import CurlResilience
import TestSupport
import Testing

@Suite struct TokenStateTests {
    private let start = ContinuousClock.now

    @Test("A valid token is used without a refresh")
    func validTokenIsUsed() {
        let token = AccessToken("a", expiry: start + .seconds(60))
        var state = TokenState(token)
        #expect(state.step(at: start) == .use(token))
        #expect(state.step(at: start + .seconds(60)) == .start(1))
    }

    @Test("Requests refused with the same token share one refresh")
    func refusedRequestsShareARefresh() {
        let old = AccessToken("old")
        var state = TokenState(old)
        #expect(state.step(refused: old, at: start) == .start(1))
        #expect(state.step(refused: old, at: start) == .wait(1))
        #expect(state.step(at: start) == .wait(1))
        let fresh = AccessToken("new")
        let isRunning = state.ended(1, fresh)
        #expect(isRunning)
        // It was refused before the refresh, and learns of it later.
        #expect(state.step(refused: old, at: start) == .use(fresh))
    }

    @Test("A failed refresh is followed by another one")
    func failedRefreshIsRepeated() {
        var state = TokenState(nil)
        #expect(state.step(at: start) == .start(1))
        let isRunning = state.ended(1, nil)
        let isRunningTwice = state.ended(1, nil)
        #expect(isRunning && !isRunningTwice)
        #expect(state.step(at: start) == .start(2))
    }

    @Test("A forgotten token isn't used, and forgetting an old one changes nothing")
    func forgottenTokenIsNotUsed() {
        var state = TokenState(AccessToken("new"))
        state.forget(AccessToken("old"))
        #expect(state.step(at: start) == .use(AccessToken("new")))
        state.forget(AccessToken("new"))
        #expect(state.step(at: start) == .start(1))
    }

    @Test("After any events at most one refresh runs, and no refused token is used again")
    func oneRefreshRunsAtATime() {
        for seed in 0..<50 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var state = TokenState(nil)
            var running: TokenState.Refresh?
            var number = 0
            var used: [AccessToken] = []
            for _ in 0..<500 {
                let now = start + .seconds(number)
                if Bool.random(using: &generator), let refresh = running {
                    number += 1
                    let isFailed = Int.random(in: 0...3, using: &generator) == 0
                    let isRunning = state.ended(
                        refresh,
                        isFailed ? nil : AccessToken("\(number)", expiry: now + .seconds(3))
                    )
                    #expect(isRunning)
                    running = nil
                    continue
                }
                let refused = used.randomElement(using: &generator)
                switch state.step(refused: refused, at: now) {
                case .use(let token):
                    #expect(running == nil && token != refused)
                    used.append(token)
                case .start(let refresh):
                    #expect(running == nil)
                    running = refresh
                case .wait(let refresh):
                    #expect(running == refresh)
                }
            }
        }
    }
}
