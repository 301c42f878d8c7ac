internal import Glibc

/// The time of day, for dates that servers send. It may jump: never measure with it.
package enum WallClock {
    /// Seconds since 1970. The corresponding C function is `time`.
    package static var secondsSince1970: Int64 { Int64(time(nil)) }
}
