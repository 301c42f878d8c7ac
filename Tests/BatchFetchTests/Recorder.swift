import Synchronization

/// Values from any thread, in the order of their arrival.
final class Recorder: Sendable {
    private let recorded = Mutex<[String]>([])

    func append(_ value: String) { recorded.withLock { $0.append(value) } }

    var values: [String] { recorded.withLock { $0 } }
}

/// A counter for any thread.
final class Counter: Sendable {
    private let count = Atomic(0)

    func increment() { count.wrappingAdd(1, ordering: .sequentiallyConsistent) }

    var value: Int { count.load(ordering: .sequentiallyConsistent) }
}
