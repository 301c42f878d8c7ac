internal import Posix

/// The time at which a timeout passes, and the code of its error.
struct Deadline {
    let time: MonotonicTime
    let code: TransportError.Code
}

extension Deadline? {
    /// Changes to the deadline of `limit` nanoseconds since `start`, if that is earlier.
    mutating func consider(
        _ limit: Int64?,
        since start: MonotonicTime,
        _ code: TransportError.Code
    ) {
        guard let limit else { return }
        let time = start.advanced(byNanoseconds: limit)
        if let self, self.time <= time { return }
        self = Deadline(time: time, code: code)
    }
}
