/// A first-in, first-out queue whose operations take constant time, on average.
struct RingQueue<Element: Sendable>: Sendable {
    private var elements: [Element?] = []
    private var head = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ element: Element) {
        if count == elements.count { grow() }
        elements[(head + count) & (elements.count - 1)] = element
        count += 1
    }

    /// Puts an element before all others.
    mutating func prepend(_ element: Element) {
        if count == elements.count { grow() }
        head = (head + elements.count - 1) & (elements.count - 1)
        elements[head] = element
        count += 1
    }

    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let first = elements[head].take()
        head = (head + 1) & (elements.count - 1)
        count -= 1
        return first
    }

    var last: Element? {
        count == 0 ? nil : elements[(head + count - 1) & (elements.count - 1)]
    }

    mutating func popLast() -> Element? {
        guard count > 0 else { return nil }
        count -= 1
        return elements[(head + count) & (elements.count - 1)].take()
    }

    /// The capacity stays a power of two, so that an index wraps by a mask.
    private mutating func grow() {
        var larger: [Element?] = []
        larger.reserveCapacity(max(4, elements.count * 2))
        for offset in 0..<count {
            larger.append(elements[(head + offset) & (elements.count - 1)])
        }
        larger.append(contentsOf: repeatElement(nil, count: max(4, elements.count * 2) - count))
        elements = larger
        head = 0
    }
}
