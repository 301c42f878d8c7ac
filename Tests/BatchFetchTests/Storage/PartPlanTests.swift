import Testing

@testable import BatchFetch

/// The parts of bodies.
@Suite struct PartPlanTests {
    private static let mebibyte: Int64 = 1 << 20

    @Test("Up to 16 MiB are one request")
    func smallBodyIsSingle() {
        #expect(PartPlan(length: 0).isSingle)
        #expect(PartPlan(length: 16 * Self.mebibyte).isSingle)
        #expect(!PartPlan(length: 16 * Self.mebibyte + 1).isSingle)
    }

    @Test("The parts of a body cover it without a gap")
    func partsCoverBody() {
        for length in [16 * Self.mebibyte + 1, 64 * Self.mebibyte, 5 << 30, 5 << 40] {
            let plan = PartPlan(length: Int64(length))
            #expect(plan.count <= 10_000)
            #expect(plan.partLength >= 16 * Self.mebibyte)
            #expect(plan.partLength % Self.mebibyte == 0)
            var end: Int64 = 0
            for number in 1...plan.count {
                let range = plan.range(ofPart: number)
                #expect(range.lowerBound == end && !range.isEmpty)
                end = range.upperBound
            }
            #expect(end == Int64(length))
        }
    }
}
