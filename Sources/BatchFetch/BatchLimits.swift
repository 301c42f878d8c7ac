/// What a run may use in all; `nil` is no limit.
public struct BatchLimits: Sendable, Hashable {
    /// How many requests may be started in a time, of all hosts together, further attempts included.
    public var rate: RequestRate?
    /// Bytes of bodies in a second, of all URLs together: those that are ahead are paused, and after small
    /// ones, which come whole, the next start is put off.
    public var bandwidth: Int64?
    /// Bytes of one body; a longer one is a failure with the code `body_too_large`, as soon as its
    /// length is known.
    public var maximumBodyBytes: Int64?
    /// Bytes of all bodies; when they have come, the run is cancelled.
    public var maximumTotalBytes: Int64?

    /// Creates limits that allow all.
    public init() {}

    func validate() throws(BatchFailure) {
        for (name, value) in [
            ("limits.bandwidth", bandwidth), ("limits.maximumBodyBytes", maximumBodyBytes),
            ("limits.maximumTotalBytes", maximumTotalBytes),
        ] {
            guard let value, value < 1 else { continue }
            throw BatchFailure(.configuration, "\(name) is \(value): use 1 or more, or nil")
        }
    }
}
