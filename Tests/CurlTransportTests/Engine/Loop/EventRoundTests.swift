internal import Posix
internal import Testing

@testable internal import CurlTransport

@Suite(.timeLimit(.minutes(10))) struct EventRoundTests {
    /// Whether the turns with these numbers of events begin a round, and complete it.
    private func turns(_ events: [Int]) -> (begin: [Bool], complete: [Bool]) {
        var round = EventRound()
        var (begin, complete): ([Bool], [Bool]) = ([], [])
        for count in events {
            round.beginTurn(events: count)
            begin.append(round.isFirstTurn)
            complete.append(round.isLastTurn)
        }
        return (begin, complete)
    }

    @Test("A turn with fewer events than the most is a round")
    func turnWithFewEventsIsARound() {
        let found = turns([0, 1, Reactor.maximumEvents - 1])
        #expect(found.begin == [true, true, true])
        #expect(found.complete == [true, true, true])
    }

    @Test("A round goes on while turns have as many events as they may")
    func roundHasSeveralFullTurns() {
        let most = Reactor.maximumEvents
        let found = turns([most, most, 3, 2, most, 0])
        #expect(found.begin == [true, false, false, true, true, false])
        #expect(found.complete == [false, false, true, true, false, true])
    }

    @Test("A round of many ready sockets ends")
    func roundIsLimited() {
        let found = turns(Array(repeating: Reactor.maximumEvents, count: 33))
        let ends = found.complete.indices.filter { found.complete[$0] }
        #expect(ends == [15, 31])
        #expect(found.begin[16])
        #expect(found.begin[32])
    }

    @Test("Bytes are divided among the sockets that are ready in this round or the last one")
    func bytesAreDividedAmongReadySockets() {
        let most = Reactor.maximumEvents
        var round = EventRound()
        let whole = round.share
        var shares: [Int] = []
        for count in [most, most, 3, 2, 0, 0] {
            round.beginTurn(events: count)
            shares.append(round.share)
        }
        let sockets = [most, 2 * most, 2 * most + 3, 2 * most + 3, 2, 1]
        #expect(shares == sockets.map { whole / $0 })
    }
}
