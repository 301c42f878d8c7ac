internal import Glibc

/// A time on `CLOCK_MONOTONIC`, which never jumps.
package struct MonotonicTime: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Reads the clock. The corresponding C function is `clock_gettime`.
    package static var now: MonotonicTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    package static let distantFuture = MonotonicTime(nanoseconds: .max)

    package static func < (lhs: MonotonicTime, rhs: MonotonicTime) -> Bool {
        lhs.nanoseconds < rhs.nanoseconds
    }

    /// The time `duration` later; saturates instead of overflowing.
    package func advanced(by duration: Duration) -> MonotonicTime {
        advanced(byNanoseconds: duration.wholeNanoseconds)
    }

    package func advanced(byNanoseconds amount: Int64) -> MonotonicTime {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(amount)
        return MonotonicTime(nanoseconds: overflow ? (amount > 0 ? .max : .min) : sum)
    }

    /// The time since `earlier` in nanoseconds.
    package func nanoseconds(since earlier: MonotonicTime) -> Int64 {
        nanoseconds.subtractingReportingOverflow(earlier.nanoseconds).partialValue
    }
}

extension Duration {
    /// This duration in nanoseconds, rounded up and limited to 64 bits.
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (high, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds > 0 ? .max : .min }
        let low = attoseconds / 1_000_000_000 + (attoseconds % 1_000_000_000 > 0 ? 1 : 0)
        let (sum, carry) = high.addingReportingOverflow(low)
        return carry ? (seconds > 0 ? .max : .min) : sum
    }

    /// This duration in seconds, rounded up and limited to libcurl's maximum.
    package var wholeSeconds: Int {
        let (seconds, attoseconds) = components
        return Int(Swift.min(seconds, Int64(Int32.max) - 1)) + (attoseconds > 0 ? 1 : 0)
    }

    /// This duration in milliseconds, rounded up, so that a timeout never becomes zero.
    package var wholeMilliseconds: Int {
        let nanoseconds = wholeNanoseconds
        return Int(nanoseconds / 1_000_000) + (nanoseconds % 1_000_000 > 0 ? 1 : 0)
    }
}

/// The time of day, for servers' dates. It may jump: never measure with it.
package enum WallClock {
    /// Seconds since 1970. The corresponding C function is `time`.
    package static var secondsSince1970: Int64 { Int64(time(nil)) }

    /// Microseconds since 1970. The corresponding C function is `clock_gettime`.
    package static var microsecondsSince1970: Int64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
    }
}

/// The processor time that threads have used.
package enum ThreadClock {
    /// The calling thread's time in nanoseconds. The corresponding C function is `clock_gettime`.
    package static var nanosecondsOfThisThread: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
