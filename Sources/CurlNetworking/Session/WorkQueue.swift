/// What is to be done, in order; taking something out takes constant time on average.
struct WorkQueue<Element: Sendable>: Sendable {
    private var incoming: [Element] = []
    /// The next one is the last.
    private var outgoing: [Element] = []

    var count: Int { incoming.count + outgoing.count }

    /// What is taken out next.
    var first: Element? { outgoing.last ?? incoming.first }

    mutating func append(_ element: Element) {
        incoming.append(element)
    }

    mutating func popFirst() -> Element? {
        if outgoing.isEmpty {
            outgoing = incoming.reversed()
            incoming = []
        }
        return outgoing.popLast()
    }

    /// All that there is, in order.
    mutating func takeAll() -> [Element] {
        defer { (incoming, outgoing) = ([], []) }
        return outgoing.reversed() + incoming
    }
}
