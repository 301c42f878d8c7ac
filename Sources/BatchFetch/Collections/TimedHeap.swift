import HeapModule
import Posix

/// A heap of elements with due times, earliest first.
struct TimedHeap<Element: Sendable>: Sendable {
    private struct Entry: Comparable, Sendable {
        let time: MonotonicTime
        let element: Element

        static func < (one: Entry, other: Entry) -> Bool { one.time < other.time }
        static func == (one: Entry, other: Entry) -> Bool { one.time == other.time }
    }

    private var entries = Heap<Entry>()

    var count: Int { entries.count }

    /// When the earliest element is due; `nil` if the heap is empty.
    var nextTime: MonotonicTime? { entries.min?.time }

    mutating func insert(_ element: Element, at time: MonotonicTime) {
        entries.insert(Entry(time: time, element: element))
    }

    /// Removes and returns the earliest element if it is due.
    mutating func popDue(at now: MonotonicTime) -> Element? {
        guard let first = entries.min, first.time <= now else { return nil }
        return entries.popMin()?.element
    }

    mutating func removeAll() { entries = Heap() }
}
