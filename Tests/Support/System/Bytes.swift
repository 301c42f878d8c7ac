extension [UInt8] {
    /// Creates `count` bytes, each computed from its index.
    ///
    /// It uses a plain loop: an unoptimised `map` over a range looks up a type in the runtime for
    /// each element. Under the thread sanitizer that look-up takes a lock, and a few servers that
    /// make their bodies at once block each other for minutes.
    package init(count: Int, _ byte: (_ place: Int) throws -> UInt8) rethrows {
        self = []
        reserveCapacity(count)
        var place = 0
        while place < count {
            append(try byte(place))
            place += 1
        }
    }
}
