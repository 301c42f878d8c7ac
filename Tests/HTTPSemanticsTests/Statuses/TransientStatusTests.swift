internal import HTTPSemantics
internal import Testing

/// Tests which statuses are retried.
@Suite struct TransientStatusTests {
    @Test("Given all statuses, then those that may be temporary are retried, and no others")
    func onlyTemporaryStatusesAreRetried() {
        let retried = (0...999).filter { TransientStatus.codes.contains($0) }
        #expect(retried == [408, 425, 429, 500, 502, 503, 504])
        #expect(TransientStatus.codes.count == retried.count)
    }
}
