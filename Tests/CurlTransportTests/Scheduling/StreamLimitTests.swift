internal import Posix
internal import Testing

@testable internal import CurlTransport

@Suite struct StreamLimitTests {
    @Test("The server's limit applies while it is low")
    func lowLimitApplies() {
        var limit = StreamLimit()
        #expect(limit.allowed(600) == 600)
        limit.announce(2)
        #expect(limit.announced == 2)
        #expect(limit.allowed(600) == 2)
        #expect(limit.allowed(1) == 1)
        // The server has raised it.
        limit.announce(1_000)
        #expect(limit.announced == nil)
        #expect(limit.allowed(600) == 600)
        // Otherwise nothing would be sent.
        limit.announce(0)
        #expect(limit.allowed(600) == 1)
    }

    @Test("Handles report the limit until it is known, and while it is low")
    func limitIsWatchedWhileNecessary() {
        var limit = StreamLimit()
        #expect(!limit.isWatched)
        let first = limit.watch()
        #expect(first)
        #expect(limit.isWatched)
        let second = limit.watch()
        #expect(!second)
        limit.announce(50)
        #expect(limit.isWatched)
        limit.announce(100)
        #expect(!limit.isWatched)
        let third = limit.watch()
        #expect(!third)
    }

    @Test("Without a known limit, one more transfer may run after each that ends")
    func estimateGrows() {
        var limit = StreamLimit()
        limit.transferEnded()
        #expect(limit.allowed(600) == 600)
        limit.foundNone(active: 12)
        #expect(limit.allowed(600) == 12)
        limit.transferEnded()
        #expect(limit.allowed(600) == 13)
        limit.foundNone(active: 0)
        #expect(limit.allowed(600) == 1)
    }

    @Test("A transfer without a stream starts again if another one ended before it was queued")
    func earlierEndCounts() {
        var limit = StreamLimit()
        limit.lacksStream()
        limit.transferEnded()
        limit.leftWithoutStream()
        limit.foundNone(active: 1)
        #expect(limit.allowed(600) == 1)
        limit.lacksStream()
        limit.transferEnded()
        limit.transferEnded()
        limit.leftWithoutStream()
        limit.foundNone(active: 1)
        #expect(limit.allowed(600) == 2)
    }

    @Test("Without a stream at the former limit, transfers start when the server raises it")
    func raisedLimitReplacesEstimate() {
        var limit = StreamLimit()
        limit.announce(0)
        limit.foundNone(active: 1)
        #expect(limit.allowed(600) == 1)
        limit.announce(100)
        #expect(limit.allowed(600) == 600)
    }

    @Test("Transfers of an origin wait for a free stream")
    func transfersWaitForStream() {
        var play = Play(count: 10)
        play.scheduler.changeStreamLimit(of: play.origin) { $0.announce(2) }
        let first = play.admitAll()
        #expect(first == Array(play.transfers[..<2]))
        play.scheduler.ended(play.origin)
        let second = play.admitAll()
        #expect(second == [play.transfers[2]])
        // The server raises its limit.
        play.scheduler.changeStreamLimit(of: play.origin) { $0.announce(5) }
        let third = play.admitAll()
        #expect(third == Array(play.transfers[3..<6]))
    }

    @Test("A transfer that found no free stream starts before those that wait")
    func requeuedTransferIsFirst() {
        var play = Play(count: 5)
        play.scheduler.changeStreamLimit(of: play.origin) { $0.announce(2) }
        let first = play.admitAll()
        #expect(first.count == 2)
        // The second one found no stream.
        play.scheduler.ended(play.origin)
        _ = play.scheduler.enqueue(play.transfers[1], for: play.key, isFirst: true)
        let active = play.scheduler.activeCount(of: play.origin)
        #expect(active == 1)
        play.scheduler.changeStreamLimit(of: play.origin) { $0.foundNone(active: active) }
        let second = play.admitAll()
        #expect(second == [])
        play.scheduler.ended(play.origin)
        let third = play.admitAll()
        #expect(third == [play.transfers[1], play.transfers[2]])
    }

    @Test("An origin's limit is forgotten when it speaks HTTP/1.1")
    func limitEndsWithHTTP2() {
        var play = Play(count: 10)
        play.scheduler.changeStreamLimit(of: play.origin) { $0.announce(2) }
        play.scheduler.learn(.http1, of: play.origin)
        let admitted = play.admitAll()
        #expect(admitted.count == 6)
    }
}

/// A scheduler with queued transfers of one origin that speaks HTTP/2.
private struct Play {
    var scheduler = Scheduler(maximumConnectionsPerHost: 6, lookupLifetime: .seconds(60))
    let key = OriginKey(origin: "https://a:443", route: "", hasName: false)
    let transfers: [TransferID]
    let origin: Scheduler.OriginIndex

    init(count: Int) {
        transfers = (0..<count).map { _ in TransferID.next() }
        var origin = 0
        for transfer in transfers { origin = scheduler.enqueue(transfer, for: key) }
        self.origin = origin
        scheduler.learn(.multiplexed, of: origin)
    }

    /// Admits all transfers that may start.
    mutating func admitAll() -> [TransferID] {
        var admitted: [TransferID] = []
        while let next = scheduler.next(
            now: MonotonicTime(nanoseconds: 0),
            takePlace: { .granted },
            takeLookup: { .granted },
            releasePlace: {}
        ) {
            admitted.append(next.transfer)
        }
        return admitted
    }
}
