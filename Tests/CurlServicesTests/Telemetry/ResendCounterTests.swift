internal import CurlTransport
internal import HTTPTypes
internal import Testing

@testable internal import CurlServices

/// Which transfers of a request are retries, and which are hedges.
@Suite struct ResendCounterTests {
    private var counter = ResendCounter()

    private func end(
        _ status: Int?,
        _ hedge: HedgedRequest? = nil,
        lostHedge: Bool = false
    ) -> TransferEnd {
        let request = HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/")
        let error = status == nil ? TransportError(.cancelled) : nil
        var end = TransferEnd(id: TransferID(), request: request, statusCode: status, error: error)
        end.hedge = hedge
        end.lostHedge = lostHedge
        return end
    }

    /// Two requests, of which the second was sent.
    private func pair() -> (HedgedRequest, HedgedRequest) {
        let race = HedgeRace()
        race.sendSecond()
        return (HedgedRequest(race, isSecond: false), HedgedRequest(race, isSecond: true))
    }

    @Test("Each further transfer without hedging is a retry of the one before")
    mutating func transfersAreRetries() {
        #expect(counter.transferEnded(end(503)).retried == nil)
        #expect(counter.transferEnded(end(502)).retried?.statusCode == 503)
        #expect(counter.transferEnded(end(200)).retried?.statusCode == 502)
        #expect(counter.count == 2)
    }

    @Test("The slower one of two requests is no retry, whichever ends first")
    mutating func slowerRequestIsNoRetry() {
        let (first, second) = pair()
        let lost = counter.transferEnded(end(nil, first, lostHedge: true))
        #expect(lost.isHedged && lost.retried == nil)
        let won = counter.transferEnded(end(200, second))
        #expect(!won.isHedged && won.retried == nil)
        #expect(counter.count == 1)
        counter = ResendCounter()
        #expect(counter.transferEnded(end(200, first)).isHedged)
        #expect(counter.transferEnded(end(nil, second, lostHedge: true)).retried == nil)
        #expect(counter.count == 1)
    }

    @Test("Two requests that both fail are no retries of each other")
    mutating func failedPairIsNoRetry() {
        let (first, second) = pair()
        #expect(counter.transferEnded(end(503, second)).retried == nil)
        #expect(counter.transferEnded(end(502, first)).retried == nil)
        #expect(counter.count == 1)
    }

    @Test("Retries outside of the hedging and hedges are counted by themselves")
    mutating func retriesOfHedgedRequestsAreCounted() {
        let (first, second) = pair()
        let (third, fourth) = pair()
        _ = counter.transferEnded(end(503, first))
        _ = counter.transferEnded(end(nil, third, lostHedge: true))
        // It ends late, after the retry has begun.
        #expect(counter.transferEnded(end(nil, second, lostHedge: true)).retried == nil)
        #expect(counter.transferEnded(end(200, fourth)).retried?.statusCode == 503)
        #expect(counter.transferEnded(end(200, second)).retried == nil)
        #expect(counter.count == 3)
    }

    @Test("A retry inside of the hedging belongs to its request")
    mutating func retriesWithinHedgingAreCounted() {
        let (first, second) = pair()
        _ = counter.transferEnded(end(503, first))
        _ = counter.transferEnded(end(502, second))
        #expect(counter.transferEnded(end(200, first)).retried?.statusCode == 503)
        #expect(counter.count == 2)
    }

    @Test("A request that wasn't sent a second time isn't hedged")
    mutating func singleRequestIsNotHedged() {
        let hedge = HedgedRequest(HedgeRace(), isSecond: false)
        #expect(!counter.transferEnded(end(200, hedge)).isHedged)
        #expect(counter.count == 0)
    }

    @Test("Inside of the hedging, only the second request is sent again")
    func ownHedgeIsKnown() {
        let (first, second) = pair()
        for (hedge, count) in [(first, 0), (second, 1)] {
            var counter = ResendCounter(within: hedge)
            let found = counter.transferEnded(end(200, hedge))
            #expect(!found.isHedged && found.retried == nil)
            #expect(counter.count == count)
        }
    }
}
