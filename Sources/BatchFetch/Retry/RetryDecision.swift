/// What follows an attempt that failed.
package enum RetryDecision: Sendable, Hashable {
    /// It was the last.
    case giveUp
    /// Another one follows; with `holdsHost`, nothing of this host is started before.
    case retry(after: Duration, holdsHost: Bool)
}
