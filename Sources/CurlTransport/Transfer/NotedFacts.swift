/// The facts of one transfer, as far as its hops have ended.
///
/// Lives on the loop thread. Apart from its transfer, because one that waits needs no room for it,
/// and used by one transfer after another.
final class NotedFacts {
    var facts = TransferFacts()
}

@available(*, unavailable)
extension NotedFacts: Sendable {}
