internal import Testing

@testable internal import CurlTransport

@Suite struct DecompressionLimitTests {
    @Test func limitIsExceededOnlyBeyondBytesAndRatio() {
        let limit = DecompressionLimit(bytes: 1000, ratio: 10)
        #expect(!limit.isExceeded(by: 1000, from: 1))
        #expect(limit.isExceeded(by: 1001, from: 1))
        #expect(!limit.isExceeded(by: 2000, from: 200))
        #expect(limit.isExceeded(by: 2010, from: 200))
        #expect(limit.isExceeded(by: .max, from: 1 << 20))
        #expect(!limit.isExceeded(by: .max, from: .max))
    }

    @Test func invalidDecompressionLimitsAreErrors() throws {
        for limit in [DecompressionLimit(bytes: -1), DecompressionLimit(ratio: 0)] {
            var options = TransferOptions()
            options.decompressionLimit = limit
            let error = #expect(throws: TransportError.self) { try PreparedOptions(options) }
            #expect(error?.message.contains("decompressionLimit") == true)
        }
    }
}
