/// Finds out whether something can be reached, and tells when that changes: what a
/// ``NetworkReachabilityManager`` monitors.
public protocol NetworkReachability: Sendable {
    /// Begins to tell: the status of now, soon, and the one after each change.
    ///
    /// - Parameter onStatus: May be called on any thread, one call after the other. It is let go of by
    ///   ``stop()``.
    func start(_ onStatus: @escaping @Sendable (NetworkReachabilityStatus) -> Void)

    /// Tells nothing more. What isn't started is left alone.
    func stop()
}
