import TestSupport
import Testing

@testable import BatchFetch

@Suite struct OrdinalSetTests {
    @Test(arguments: 0..<20)
    func randomInsertionsMatchAReferenceSet(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var ordinals = OrdinalSet()
        var reference = Set<Int>()
        for _ in 0..<300 {
            if Bool.random(using: &generator) {
                let ordinal = Int.random(in: -2..<200_000, using: &generator)
                let isNew = ordinals.insert(ordinal)
                let isExpected = ordinal >= 0 && reference.insert(ordinal).inserted
                #expect(isNew == isExpected)
            } else {
                let start = Int.random(in: 0..<200_000, using: &generator)
                let range = start..<start + Int.random(in: 0..<2000, using: &generator)
                ordinals.insert(range)
                reference.formUnion(range)
            }
        }
        #expect(ordinals.count == reference.count)
        for ordinal in -1..<203_000 where ordinals.contains(ordinal) != reference.contains(ordinal)
        {
            Issue.record("\(ordinal)")
        }
    }

    @Test func insertingIntoAFullPageChangesNothing() {
        var ordinals = OrdinalSet()
        ordinals.insert(0..<200_000)
        #expect(ordinals.count == 200_000)
        let isNew = ordinals.insert(65_536)
        #expect(!isNew)
        ordinals.insert(10..<20)
        #expect(ordinals.count == 200_000)
        #expect(ordinals.contains(131_071) && !ordinals.contains(200_000))
    }

    @Test func hugeOrdinalIsStored() {
        var ordinals = OrdinalSet()
        ordinals.insert(.max)
        #expect(ordinals.contains(.max) && ordinals.count == 1)
    }
}
