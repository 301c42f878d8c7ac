import Foundation
import Testing

@testable import CurlURLSession

struct ProtocolLoadStateTests {
    private final class Challenge {}

    /// The state in a class, so that expectations can change it.
    private final class Load {
        private var state = ProtocolLoadState()

        var isEnded: Bool { state.isEnded }
        func start() -> Bool { state.start() }
        func respond() -> [Data]? { state.respond() }
        func load(_ data: Data) -> Bool { state.load(data) }
        func finish() -> ProtocolLoadState.End { state.finish() }
        func fail() -> Bool { state.fail() }
        func redirect() -> ProtocolLoadState.Detour { state.redirect() }
        func useCachedResponse() -> Bool { state.useCachedResponse() }
        func stop() -> Bool { state.stop() }
        func ask(_ challenge: Challenge) -> Bool { state.challenge(ObjectIdentifier(challenge)) }
        func take(_ challenge: Challenge) -> Bool {
            state.takeChallenge(ObjectIdentifier(challenge))
        }
        func awaits(_ challenge: Challenge) -> Bool {
            state.awaitsAnswer(to: ObjectIdentifier(challenge))
        }
    }

    private func started() -> Load {
        let state = Load()
        _ = state.start()
        return state
    }

    @Test func loadStartsOnceAndNotAfterAStop() {
        let state = Load()
        #expect(state.start())
        #expect(!state.start())

        let stopped = Load()
        #expect(stopped.stop())
        #expect(!stopped.stop())
        #expect(!stopped.start())
        #expect(stopped.isEnded)
    }

    @Test func callsBeforeTheStartAreIgnored() {
        let state = Load()
        #expect(state.respond() == nil)
        #expect(!state.load(Data([1])))
        #expect(state.finish() == .ignored)
        #expect(!state.fail())
        #expect(state.redirect() == .ignored)
        #expect(!state.useCachedResponse())
        #expect(state.start())
    }

    @Test func dataAfterTheResponseIsDeliveredAtOnce() {
        let state = started()
        #expect(state.respond() == [])
        #expect(state.load(Data([1])))
        #expect(!state.load(Data()))
        #expect(state.finish() == .finished)
        #expect(state.isEnded)
    }

    @Test func dataBeforeTheResponseWaitsForIt() {
        let state = started()
        #expect(!state.load(Data([1])))
        #expect(!state.load(Data([2, 3])))
        #expect(state.respond() == [Data([1]), Data([2, 3])])
        #expect(state.load(Data([4])))
        #expect(state.finish() == .finished)
    }

    @Test func loadWithoutAResponseDeliversItsData() {
        let state = started()
        #expect(!state.load(Data([1])))
        #expect(state.finish() == .unanswered([Data([1])]))

        let empty = started()
        #expect(empty.finish() == .unanswered([]))
    }

    @Test func secondResponseIsIgnored() {
        let state = started()
        #expect(state.respond() != nil)
        #expect(state.respond() == nil)
        #expect(!state.useCachedResponse())
        #expect(state.load(Data([1])))
    }

    @Test func redirectEndsTheLoadUnlessAResponseCameBefore() {
        let state = started()
        #expect(state.redirect() == .followed)
        #expect(!state.fail())
        #expect(state.finish() == .ignored)

        let answered = started()
        _ = answered.respond()
        #expect(answered.redirect() == .tooLate)
        #expect(answered.isEnded)
    }

    @Test func challengeIsAnsweredOnce() {
        let (first, second) = (Challenge(), Challenge())
        let state = started()
        #expect(state.ask(first))
        #expect(!state.ask(first))
        #expect(state.ask(second))
        #expect(state.awaits(first))
        #expect(state.take(first))
        #expect(!state.awaits(first))
        #expect(!state.take(first))
        #expect(state.stop())
        #expect(!state.take(second))
        #expect(!state.ask(first))
    }

    @Test func anyCallsGiveOneResponseThenDataThenOneEnd() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let state = Load()
            var events: [String] = []
            for _ in 0..<12 {
                switch Int.random(in: 0..<8, using: &random) {
                case 0:
                    _ = state.start()
                case 1:
                    if let early = state.respond() {
                        events.append("response")
                        events += early.map { _ in "data" }
                    }
                case 2, 3:
                    if state.load(Data([1])) { events.append("data") }
                case 4:
                    if state.finish() != .ignored { events.append("end") }
                case 5:
                    if state.fail() { events.append("end") }
                case 6:
                    if state.redirect() != .ignored { events.append("end") }
                default:
                    if state.useCachedResponse() { events.append("end") }
                }
            }
            #expect(events.filter { $0 == "response" }.count <= 1, "\(events)")
            #expect(events.filter { $0 == "end" }.count <= 1, "\(events)")
            if let end = events.firstIndex(of: "end") {
                #expect(end == events.count - 1, "\(events)")
            }
            if let data = events.firstIndex(of: "data") {
                #expect(events.firstIndex(of: "response").map { $0 < data } ?? false, "\(events)")
            }
        }
    }
}
