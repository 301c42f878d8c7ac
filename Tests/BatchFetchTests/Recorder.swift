import Synchronization

/// Values in the order in which they came, from any thread.
final class Recorder: Sendable {
    private let recorded = Mutex<[String]>([])

    func append(_ value: String) { recorded.withLock { $0.append(value) } }

    var values: [String] { recorded.withLock { $0 } }
}

/// A count, from any thread.
final class Counter: Sendable {
    private let count = Atomic(0)

    func increment() { count.wrappingAdd(1, ordering: .sequentiallyConsistent) }

    var value: Int { count.load(ordering: .sequentiallyConsistent) }
}
