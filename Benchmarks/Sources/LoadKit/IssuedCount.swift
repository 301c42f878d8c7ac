internal import Synchronization

/// Hands out the requests' numbers to the places that are free.
final class IssuedCount: Sendable {
    private let issued = Atomic(0)
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// The next request's number; nil: all have been issued.
    func next() -> Int? {
        let number = issued.add(1, ordering: .relaxed).oldValue
        return number < limit ? number : nil
    }
}
