import CurlTransport
import Foundation
import Testing

@testable import CurlURLSession

struct OptionsCacheTests {
    private func key(_ milliseconds: Int) -> OptionsCache.Key {
        OptionsCache.Key(idleLimit: .milliseconds(milliseconds))
    }

    @Test func optionsArePreparedOnce() throws {
        let cache = OptionsCache()
        var count = 0
        for _ in 0..<3 {
            for limit in 1...3 {
                _ = try cache.options(for: key(limit)) { () throws(TransportError) in
                    count += 1
                    return try PreparedOptions()
                }
            }
        }
        #expect(count == 3)
        #expect(cache.count == 3)
    }

    @Test func errorIsNotCached() throws {
        let cache = OptionsCache()
        let request = key(1)
        #expect(throws: TransportError.self) {
            try cache.options(for: request) { () throws(TransportError) in
                throw TransportError.cancelled
            }
        }
        #expect(cache.count == 0)
        _ = try cache.options(for: request) { () throws(TransportError) in try PreparedOptions() }
        #expect(cache.count == 1)
    }

    @Test func optionsCacheIsLimited() throws {
        let cache = OptionsCache()
        let first = try cache.options(for: key(1)) { () throws(TransportError) in
            try PreparedOptions()
        }
        for limit in 1...500 {
            _ = try cache.options(for: key(limit)) { () throws(TransportError) in
                try PreparedOptions()
            }
            #expect(cache.count <= OptionsCache.limit + 1)
        }
        let again = try cache.options(for: key(1)) { () throws(TransportError) in
            try PreparedOptions()
        }
        #expect(again === first)
    }

    @Test func manyThreadsGetTheSameOptions() throws {
        let cache = OptionsCache()
        let key = key(1)
        let seen = Collected()
        DispatchQueue.concurrentPerform(iterations: 100) { _ in
            let made = try? cache.options(for: key) { () throws(TransportError) in
                try PreparedOptions()
            }
            seen.add(made)
        }
        #expect(seen.count == 100)
        #expect(seen.distinct == 1)
    }
}
