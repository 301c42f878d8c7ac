extension [UInt8] {
    /// So many bytes, each by its place.
    ///
    /// In a plain loop: of a `map` over a range, not optimised, the runtime is asked about a type for each
    /// element. Under the thread sanitizer that is behind a lock, and a few servers that make their
    /// bodies at once keep each other waiting for minutes.
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
