/// A queue of notifications to deliver in order, outside of a lock.
///
/// One thread at a time delivers them, including those that other threads add meanwhile. This is a
/// pure value, protected by the lock. After a change, call ``begin()`` under the lock, deliver the
/// result without the lock, and repeat with ``next()`` until it returns nil.
package struct CallbackQueue<Callback> {
    private var waiting: [Callback] = []
    private var isDelivering = false

    package init() {}

    package mutating func append(_ callback: Callback) {
        waiting.append(callback)
    }

    /// The notifications that the caller has to deliver; `nil` if there are none, or if another
    /// thread is delivering.
    package mutating func begin() -> [Callback]? {
        guard !isDelivering, !waiting.isEmpty else { return nil }
        isDelivering = true
        return takeAll()
    }

    /// The notifications added since, for the delivering thread; `nil` if there are none.
    package mutating func next() -> [Callback]? {
        guard waiting.isEmpty else { return takeAll() }
        isDelivering = false
        return nil
    }

    private mutating func takeAll() -> [Callback] {
        defer { waiting = [] }
        return waiting
    }
}

extension CallbackQueue: Sendable where Callback: Sendable {}
