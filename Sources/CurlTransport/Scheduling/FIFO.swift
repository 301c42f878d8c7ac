/// First in, first out, in amortised constant time. What is taken out is let go of at once, and the room
/// for it after a while, whether or not the queue ever runs dry.
@usableFromInline
package struct FIFO<Element> {
    /// What was taken out is `nil`.
    @usableFromInline var storage: [Element?] = []
    @usableFromInline var head = 0

    @inlinable
    package init() {}

    var count: Int { storage.count - head }

    @inlinable package var isEmpty: Bool { head == storage.count }

    @inlinable package var first: Element? { isEmpty ? nil : storage[head] }

    @inlinable
    package mutating func append(_ element: Element) {
        storage.append(element)
    }

    @inlinable
    @discardableResult
    package mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = storage[head].take()
        head += 1
        // Give the room back when at least half of it is waste.
        if head == storage.count {
            storage.removeAll(keepingCapacity: storage.capacity <= 64)
            head = 0
        } else if head >= 64, head * 2 >= storage.count {
            storage.removeFirst(head)
            head = 0
        }
        return element
    }

    mutating func removeFirst() {
        popFirst()
    }

    func contains(where isMeant: (Element) -> Bool) -> Bool {
        storage[head...].contains { $0.map(isMeant) ?? false }
    }

    mutating func removeAll(where isSuperfluous: (Element) -> Bool) {
        storage = storage[head...].filter { !($0.map(isSuperfluous) ?? true) }
        head = 0
    }
}

extension FIFO: Sendable where Element: Sendable {}
