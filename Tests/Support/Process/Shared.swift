internal import Synchronization

/// A value that the first test to need it makes, shared by all tests.
package final class Shared<Value: Sendable>: Sendable {
    private let make: @Sendable () async throws -> Value
    private let task = Mutex<Task<Value, any Error>?>(nil)

    package init(_ make: @escaping @Sendable () async throws -> Value) {
        self.make = make
    }

    package func callAsFunction() async throws -> Value {
        let task = task.withLock { [make] task in
            if let task { return task }
            let new = Task { try await make() }
            task = new
            return new
        }
        return try await task.value
    }
}
