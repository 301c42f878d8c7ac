/// First in, first out, in amortised constant time.
struct FIFO<Element> {
    private var storage: [Element] = []
    private var head = 0

    var count: Int { storage.count - head }

    var isEmpty: Bool { count == 0 }

    var first: Element? { isEmpty ? nil : storage[head] }

    mutating func append(_ element: Element) {
        storage.append(element)
    }

    @discardableResult
    mutating func popFirst() -> Element? {
        guard let element = first else { return nil }
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
        storage[head...].contains(where: isMeant)
    }

    mutating func removeAll(where isSuperfluous: (Element) -> Bool) {
        storage = storage[head...].filter { !isSuperfluous($0) }
        head = 0
    }
}

extension FIFO: Sendable where Element: Sendable {}
