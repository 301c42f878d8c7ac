import Posix
import Testing

/// Conversions of times and durations for the kernel and libcurl, which take whole numbers.
@Suite struct MonotonicTimeTests {
    /// A duration of seconds and nanoseconds.
    private func duration(_ seconds: Int64, _ attoseconds: Int64 = 0) -> Duration {
        Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
    }

    @Test("The monotonic clock never goes back")
    func clockNeverGoesBack() {
        var last = MonotonicTime.now
        for _ in 0..<1000 {
            let next = MonotonicTime.now
            #expect(next >= last)
            last = next
        }
        #expect(last < .distantFuture)
    }

    @Test(
        "A duration is rounded up to whole nanoseconds",
        arguments: [
            (0, 0, 0), (0, 1, 1), (0, 999_999_999, 1), (0, 1_000_000_000, 1),
            (0, 1_000_000_001, 2), (1, 0, 1_000_000_000),
            (3, 500_000_000_000_000_000, 3_500_000_000),
            (-1, 0, -1_000_000_000), (-1, -500_000_000_000_000_000, -1_500_000_000),
        ] as [(Int64, Int64, Int64)]
    )
    func durationIsRoundedUpToNanoseconds(seconds: Int64, attoseconds: Int64, nanoseconds: Int64) {
        #expect(duration(seconds, attoseconds).wholeNanoseconds == nanoseconds)
    }

    @Test(
        "A duration beyond 64 bits of nanoseconds is clamped to them",
        arguments: [
            (Int64.max, Int64.max), (9_223_372_037, .max),
            (9_223_372_036, 9_223_372_036_000_000_000),
            (-9_223_372_037, .min), (.min, .min),
        ]
    )
    func nanosecondsAreLimited(seconds: Int64, nanoseconds: Int64) {
        #expect(duration(seconds).wholeNanoseconds == nanoseconds)
    }

    /// The last second of the range ends before its fraction does.
    @Test("A duration whose fraction exceeds 64 bits of nanoseconds is clamped, too")
    func fractionBeyondTheLimitIsLimited() {
        let fraction: Int64 = 900_000_000_000_000_000
        #expect(duration(9_223_372_036, fraction).wholeNanoseconds == .max)
        #expect(duration(-9_223_372_036, -fraction).wholeNanoseconds == .min)
        #expect(
            duration(9_223_372_036, 854_775_807_000_000_000).wholeNanoseconds == .max
        )
        #expect(
            duration(9_223_372_036, 854_775_806_000_000_000).wholeNanoseconds == .max - 1
        )
    }

    @Test(
        "A duration is rounded up to whole seconds, of which libcurl takes 31 bits",
        arguments: [
            (0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 2), (2_147_483_646, 0, 2_147_483_646),
            (2_147_483_646, 1, 2_147_483_647), (2_147_483_647, 0, 2_147_483_646),
            (Int64.max, 1, 2_147_483_647),
        ] as [(Int64, Int64, Int)]
    )
    func durationIsRoundedUpToSeconds(seconds: Int64, attoseconds: Int64, whole: Int) {
        #expect(duration(seconds, attoseconds).wholeSeconds == whole)
    }

    @Test(
        "A duration is rounded up to whole milliseconds, so that a timeout isn't zero",
        arguments: [
            (0, 0, 0), (0, 1, 1), (0, 1_000_000_000_000_000, 1), (0, 1_000_000_000_000_001, 2),
            (2, 0, 2000), (2, 999_000_000_000_000_001, 3000), (Int64.max, 0, 9_223_372_036_855),
        ] as [(Int64, Int64, Int)]
    )
    func durationIsRoundedUpToMilliseconds(seconds: Int64, attoseconds: Int64, whole: Int) {
        #expect(duration(seconds, attoseconds).wholeMilliseconds == whole)
    }

    @Test(
        "A later time saturates instead of overflowing",
        arguments: [
            (5, 7, 12), (5, -7, -2), (Int64.max - 1, 1, .max), (.max, 1, .max), (.max, .max, .max),
            (.min, -1, .min), (0, .min, .min), (-1, .min, .min),
        ] as [(Int64, Int64, Int64)]
    )
    func laterTimeSaturates(start: Int64, amount: Int64, end: Int64) {
        #expect(
            MonotonicTime(nanoseconds: start).advanced(byNanoseconds: amount)
                == MonotonicTime(nanoseconds: end)
        )
    }

    @Test("Times can be compared, and a difference is negative if the end is earlier")
    func timesAreOrdered() {
        let early = MonotonicTime(nanoseconds: 10)
        let late = early.advanced(by: .microseconds(2))
        #expect(early < late && late > early && early != late)
        #expect(late.nanoseconds(since: early) == 2000)
        #expect(early.nanoseconds(since: late) == -2000)
        #expect(early.advanced(by: .seconds(Int64.max)) == .distantFuture)
    }

    @Test("Seconds and microseconds of the wall clock agree")
    func wallClockUnitsAgree() {
        let before = WallClock.secondsSince1970
        let microseconds = WallClock.microsecondsSince1970
        let after = WallClock.secondsSince1970
        // `time` may lag behind `clock_gettime` by a tick.
        #expect(((before - 1)...(after + 1)).contains(microseconds / 1_000_000))
        #expect(before > 1_700_000_000)
    }
}
