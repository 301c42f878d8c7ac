import Curl

/// Elements that are each due at a time of their own, the earliest first.
struct TimedHeap<Element: Sendable>: Sendable {
    private struct Entry: Sendable {
        let time: MonotonicTime
        let element: Element
    }

    private var entries: [Entry] = []

    var count: Int { entries.count }

    /// When the earliest is due; `nil` if there is none.
    var nextTime: MonotonicTime? { entries.first?.time }

    mutating func insert(_ element: Element, at time: MonotonicTime) {
        entries.append(Entry(time: time, element: element))
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].time < entries[parent].time else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes and returns the earliest element if it is due.
    mutating func popDue(at now: MonotonicTime) -> Element? {
        guard let first = entries.first, first.time <= now else { return nil }
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
                if entries[child].time < entries[least].time { least = child }
            }
            guard least != parent else { return first.element }
            entries.swapAt(parent, least)
            parent = least
        }
    }

    mutating func removeAll() { entries.removeAll() }
}
