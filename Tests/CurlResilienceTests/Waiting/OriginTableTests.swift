import Testing

@testable import CurlResilience

@Suite struct OriginTableTests {
    @Test("States that equal new ones are forgotten, and the others are kept")
    func unusedStatesAreForgotten() {
        var table = OriginTable<Int>(isForgettable: { $0 == 0 })
        for number in 0..<100_000 {
            let isUsed = number % 1000 == 0
            table.change("origin \(number)", new: 0) { $0 = isUsed ? number + 1 : 0 }
        }
        #expect(table.count < 2000)
        for number in stride(from: 0, to: 100_000, by: 1000) {
            #expect(table.change("origin \(number)", new: 0) { $0 } == number + 1)
        }
    }
}
