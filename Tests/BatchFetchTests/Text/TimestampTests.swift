import Testing

@testable import BatchFetch

@Suite struct TimestampTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (951_782_399, "2000-02-28T23:59:59Z"),
        (951_782_400, "2000-02-29T00:00:00Z"), (1_795_622_400, "2026-11-25T16:00:00Z"),
        (4_107_542_400, "2100-03-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
    ])
    func timestampsAreInUTC(seconds: Int64, text: String) {
        #expect(Timestamp.text(seconds: seconds) == text)
        #expect(
            Timestamp.text(microseconds: seconds * 1_000_000 + 12_345)
                == text.replacing("Z", with: ".012345Z")
        )
    }
}
