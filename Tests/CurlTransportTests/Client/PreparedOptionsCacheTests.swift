import Testing

@testable import CurlTransport

@Suite struct PreparedOptionsCacheTests {
    private func options(_ number: Int) -> TransferOptions {
        var options = TransferOptions()
        options.timeouts.total = .milliseconds(number + 1)
        return options
    }

    @Test("Equal options are prepared once")
    func equalOptionsArePreparedOnce() throws {
        let own = try PreparedOptions(options(0))
        let cache = PreparedOptionsCache(own: own)
        #expect(try cache.prepared(options(0)) === own)
        #expect(cache.count == 0)
        let other = try cache.prepared(options(1))
        #expect(try cache.prepared(options(1)) === other)
        #expect(try cache.prepared(options(2)) !== other)
        #expect(other.options == options(1))
        #expect(cache.count == 2)
    }

    @Test("The cache keeps the most recently used options")
    func latestOptionsAreKept() throws {
        let cache = PreparedOptionsCache(own: nil)
        let first = try cache.prepared(options(0))
        let second = try cache.prepared(options(1))
        for number in 2..<100 {
            _ = try cache.prepared(options(number))
            #expect(try cache.prepared(options(0)) === first)
        }
        #expect(cache.count == PreparedOptionsCache.limit)
        #expect(try cache.prepared(options(1)) !== second)
    }

    @Test("Invalid options fail each time and are not cached")
    func invalidOptionsAreNotKept() {
        let cache = PreparedOptionsCache(own: nil)
        for _ in 0..<2 {
            #expect(throws: TransportError.self) { _ = try cache.prepared(options(-2)) }
        }
        #expect(cache.count == 0)
    }

    @Test("Options that depend on the environment are prepared each time")
    func environmentIsReadEachTime() throws {
        let cache = PreparedOptionsCache(own: nil)
        var options = TransferOptions()
        options.proxy = .environment
        #expect(try cache.prepared(options) !== cache.prepared(options))
        #expect(cache.count == 0)
    }

    @Test("Concurrent tasks with equal options share one preparation")
    func simultaneousOptionsAreShared() async throws {
        let cache = PreparedOptionsCache(own: nil)
        let own = options(7)
        let made = try await withThrowingTaskGroup(of: PreparedOptions.self) { group in
            for _ in 0..<100 { group.addTask { try cache.prepared(own) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(made.allSatisfy { $0 === made[0] })
        #expect(cache.count == 1)
    }
}
