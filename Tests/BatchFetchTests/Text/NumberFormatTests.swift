import Testing

@testable import BatchFetch

@Suite struct NumberFormatTests {
    @Test(arguments: [
        (0, "0"), (999, "999"), (1000, "1,000"), (20_000, "20,000"), (1_234_567, "1,234,567"),
        (-1000, "-1,000"), (Int.min, "-9,223,372,036,854,775,808"),
    ])
    func thousandsAreGrouped(number: Int, text: String) {
        #expect(NumberFormat.grouped(number) == text)
    }

    @Test(
        "Only the number 1 has a singular",
        arguments: [(0, "0 retries"), (1, "1 retry"), (2, "2 retries"), (1400, "1,400 retries")]
    )
    func onlyOneIsSingular(number: Int, text: String) {
        #expect(NumberFormat.counted(number, "retry", "retries") == text)
    }

    @Test func amountsHaveUnits() {
        #expect(NumberFormat.bytes(0) == "0 B")
        #expect(NumberFormat.bytes(999) == "999 B")
        #expect(NumberFormat.bytes(1500) == "1.50 kB")
        #expect(NumberFormat.bytes(45_600_000) == "45.6 MB")
        #expect(NumberFormat.bytes(.max) == "9,223,372.0 TB")
        #expect(NumberFormat.duration(.microseconds(12)) == "12 µs")
        #expect(NumberFormat.duration(.microseconds(12_340)) == "12.3 ms")
        #expect(NumberFormat.duration(.milliseconds(2_050)) == "2.05 s")
        #expect(NumberFormat.duration(.seconds(125)) == "2 min 5 s")
        #expect(NumberFormat.duration(.seconds(7260)) == "2 h 1 min")
        #expect(NumberFormat.decimal(-0.04, digits: 1) == "0.0")
        #expect(NumberFormat.decimal(-0.5, digits: 1) == "-0.5")
        #expect(NumberFormat.decimal(.infinity, digits: 1) == "?")
    }
}
