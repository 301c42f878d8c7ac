import Testing

@testable import BatchFetch

@Suite struct BatchSummaryTests {
    @Test func rareHostsAreRemovedFirst() {
        var tallies = HostTallies(capacity: 10)
        for number in 0..<1000 {
            tallies.add("often:80", isFailed: false, bytes: 1)
            tallies.add("\(number):80", isFailed: true, bytes: .max)
        }
        #expect(tallies.isIncomplete && tallies.top.count <= 10)
        #expect(tallies.top.first?.host == "often:80" && tallies.top.first?.done == 1000)
    }

    @Test func numberOfFailureKindsIsBounded() {
        var summary = BatchSummary()
        for number in 0..<100_000 {
            var result = BatchResult(url: "", line: number)
            result.failure = BatchFailure(BatchFailure.Code("kind \(number)"), "")
            summary.add(result)
        }
        #expect(summary.topFailures.count == BatchSummary.maximumKinds + 1)
        #expect(summary.topFailures.first?.name == "other")
    }
}
