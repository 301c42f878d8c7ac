internal import Glibc

/// A time on `CLOCK_BOOTTIME`, which never jumps and continues while the system is suspended.
///
/// For time limits that other machines count, too. ``MonotonicTime`` stops during a suspension.
package struct BootTime: Hashable, Comparable, Sendable {
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Reads the clock. The corresponding C function is `clock_gettime`.
    package static var now: BootTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return BootTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    package static let distantFuture = BootTime(nanoseconds: .max)

    package static func < (lhs: BootTime, rhs: BootTime) -> Bool {
        lhs.nanoseconds < rhs.nanoseconds
    }

    /// The time `duration` later; saturates instead of overflowing.
    package func advanced(by duration: Duration) -> BootTime {
        let amount = duration.wholeNanoseconds
        let (sum, overflow) = nanoseconds.addingReportingOverflow(amount)
        return BootTime(nanoseconds: overflow ? (amount > 0 ? .max : .min) : sum)
    }
}
