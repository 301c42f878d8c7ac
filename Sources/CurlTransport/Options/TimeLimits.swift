internal import Curl

/// ``Timeouts`` in nanoseconds, which a loop compares for each transfer; nil: no limit.
struct TimeLimits: Sendable {
    let connect: Int64?
    let idle: Int64?
    let firstByte: Int64?
    let total: Int64?

    init(_ timeouts: Timeouts) {
        connect = timeouts.connect?.wholeNanoseconds
        idle = timeouts.idle?.wholeNanoseconds
        firstByte = timeouts.firstByte?.wholeNanoseconds
        total = timeouts.total?.wholeNanoseconds
    }
}
