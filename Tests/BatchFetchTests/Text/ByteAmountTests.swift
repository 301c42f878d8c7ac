import Testing

@testable import BatchFetch

/// Amounts of bytes and durations, as options and rules write them.
@Suite struct ByteAmountTests {
    @Test(
        "An amount is multiplied by its unit, in upper or lower case",
        arguments: [
            ("7", 7), ("7b", 7), ("7B", 7), ("3k", 3000), ("3K", 3000), ("3kB", 3000),
            ("3m", 3_000_000), ("3MB", 3_000_000), ("3g", 3_000_000_000), ("3Gb", 3_000_000_000),
            ("3t", 3_000_000_000_000), ("3TB", 3_000_000_000_000), ("3ki", 3072), ("3KiB", 3072),
            ("3Mi", 3 << 20), ("3mib", 3 << 20), ("3Gi", 3 << 30), ("3GIB", 3 << 30),
            ("3Ti", 3 << 40), ("3TiB", 3 << 40),
        ] as [(String, Int64)]
    )
    func unitHasItsFactor(text: String, bytes: Int64) {
        #expect(ByteAmount.bytes(text) == bytes)
    }

    @Test(
        "A fraction is rounded to whole bytes",
        arguments: [
            ("0", 0), ("0.4", 0), ("1.6", 2), ("1.1k", 1100), ("0.25KiB", 256), ("2.5Gi", 5 << 29),
            ("0.0001k", 0),
        ] as [(String, Int64)]
    )
    func fractionIsRounded(text: String, bytes: Int64) {
        #expect(ByteAmount.bytes(text) == bytes)
    }

    @Test(
        "Text that isn't an amount of bytes is rejected",
        arguments: [
            "k", ".", ".k", "1.2.3", "1 k", " 1k", "1k ", "+1", "1e3", "1,5k", "1kk", "1kibi",
            "1ib", "1bk", "0x10", "inf", "nan", "٣", "٣k", "1ｋ", "½", "²", "1k\u{301}", "1\n",
        ]
    )
    func otherTextIsNoAmount(text: String) {
        #expect(ByteAmount.bytes(text) == nil)
    }

    @Test("An amount above 8 EiB is rejected, not truncated")
    func amountAboveTheLimitIsRejected() {
        #expect(ByteAmount.bytes("8388607TiB") == 8_388_607 << 40)
        for text in ["8388608TiB", "9223372036854775808", "9999999999G", "99999999T"] {
            #expect(ByteAmount.bytes(text) == nil, "\(text)")
        }
        #expect(ByteAmount.bytes(String(repeating: "9", count: 400)) == nil)
    }

    @Test("Amounts and durations are parsed from substrings, too")
    func partOfATextIsParsed() {
        let option = "limit=20MiB;5m"
        let parts = option.dropFirst(6).split(separator: ";")
        #expect(ByteAmount.bytes(parts[0]) == 20 << 20)
        #expect(DurationText.duration(parts[1]) == .seconds(300))
    }

    @Test(
        "A duration without a unit is in seconds, and minutes are not milliseconds",
        arguments: [
            ("0", .zero), ("0ms", .zero), ("0.5", .milliseconds(500)), ("0.5s", .milliseconds(500)),
            ("1m", .seconds(60)), ("0.25m", .seconds(15)), ("24h", .seconds(86_400)),
            ("2000ms", .seconds(2)), ("700ms", .milliseconds(700)), ("0.7", .milliseconds(700)),
        ] as [(String, Duration)]
    )
    func durationHasItsUnit(text: String, duration: Duration) {
        #expect(DurationText.duration(text) == duration)
    }

    @Test(
        "Text that isn't a duration is rejected",
        arguments: [
            "ms", "m", "h", "-5", "-1ms", "5 s", " 5s", "5s ", "1H", "1S", "1M", "1ss", "1sm",
            "5sec",
            "1:30", "1h30m", "1,5s", "infm", "nans", "٣s",
        ]
    )
    func otherTextIsNoDuration(text: String) {
        #expect(DurationText.duration(text) == nil && !DurationText.isTooLong(text))
    }

    @Test("A duration is at most a thousand years, in any unit")
    func durationIsAtMostAThousandYears() {
        for (longest, tooLong) in [
            ("31536000000", "31536000001"), ("31536000000s", "31536000001s"),
            ("525600000m", "525600001m"), ("8760000h", "8760001h"),
        ] {
            #expect(DurationText.duration(longest) == .seconds(31_536_000_000))
            #expect(DurationText.duration(tooLong) == nil, "\(tooLong)")
            #expect(DurationText.isTooLong(tooLong) && !DurationText.isTooLong(longest))
        }
    }
}
