internal import Glibc

/// The time of day, for dates that servers send. It may jump: never measure with it.
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
