internal import Testing

@testable internal import CurlTransport

@Suite struct ExpansionLimitTests {
    @Test func bothBoundsHaveToBePassed() {
        let limit = ExpansionLimit(bytes: 1000, ratio: 10)
        #expect(!limit.isExceeded(by: 1000, from: 1))
        #expect(limit.isExceeded(by: 1001, from: 1))
        #expect(!limit.isExceeded(by: 2000, from: 200))
        #expect(limit.isExceeded(by: 2010, from: 200))
        #expect(limit.isExceeded(by: .max, from: 1 << 20))
        #expect(!limit.isExceeded(by: .max, from: .max))
    }

    @Test func whatCannotBeHonouredIsRefused() throws {
        for limit in [ExpansionLimit(bytes: -1), ExpansionLimit(ratio: 0)] {
            var options = TransferOptions()
            options.expansionLimit = limit
            let error = #expect(throws: TransportError.self) { try PreparedOptions(options) }
            #expect(error?.message.contains("expansionLimit") == true)
        }
    }
}
