import TestSupport
import Testing

@testable import BatchFetch

@Suite struct SeenSetTests {
    @Test func insertedHashesAreSeen() {
        var set = SeenSet()
        var generator = SeededGenerator(seed: 1)
        let hashes = (0..<100_000).map { _ in UInt64.random(in: 0 ... .max, using: &generator) }
        #expect(hashes.count { set.insert($0) } == hashes.count)
        #expect(hashes.count { set.insert($0) } == 0)
        #expect(set.count == hashes.count)
    }

    @Test func adjacentHashesAndZeroAreDistinct() {
        var set = SeenSet()
        #expect((UInt64(1)...2000).count { set.insert($0) } == 2000)
        #expect((UInt64(0)...2000).count { set.insert($0) } == 0)
        let isNew = [set.insert(.max), set.insert(.max)]
        #expect(isNew == [true, false])
    }

    @Test func keyedHashSeparatesTheParts() {
        let hash = KeyedHash()
        let keys: [[[UInt8]]] = [
            [[]], [[], []], [[0]], [[0, 0]], [[1, 2], [3]], [[1], [2, 3]], [[1, 2, 3]],
            [Array(repeating: 1, count: 8)], [Array(repeating: 1, count: 9)],
        ]
        #expect(Set(keys.map { hash.hash($0) }).count == keys.count)
        #expect(hash.hash(keys[4]) == hash.hash(keys[4]))
        #expect(hash.hash(keys[4]) != KeyedHash().hash(keys[4]))
    }
}
