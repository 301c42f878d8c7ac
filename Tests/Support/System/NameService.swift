import CTestSupport

/// A name service of the test process: resolves its names to 127.0.0.1.
///
/// Its names are such as `a.resolver.test`. Tests that hold the same service belong in one
/// serialized suite.
package struct NameService: Sendable {
    /// For names in `resolver.test`, used by the engine's tests.
    package static let engine = NameService(number: 0, domain: "resolver.test")
    /// For names in `lookup.test`, used by the sessions' tests.
    package static let sessions = NameService(number: 1, domain: "lookup.test")

    private let number: Int32
    /// The suffix of its names.
    package let domain: String

    /// Leaves look-ups unanswered while `body` runs.
    package func hold<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        ts_resolver_hold(number)
        defer { ts_resolver_release(number) }
        return try await body()
    }

    /// Answers the pending look-ups.
    package func release() { ts_resolver_release(number) }

    /// Waits until `count` look-ups are pending.
    package func lookups(_ count: Int) async throws {
        try await NativeThread.run { [number] in
            let result = ts_resolver_await(number, Int32(count), 300)
            guard result == 0 else { throw SystemError("look-ups", result) }
        }
    }

    /// The look-ups since the service was last held.
    package var asked: Int { Int(ts_resolver_asked(number)) }

    /// The most look-ups that were pending at once since the service was last held.
    package var mostAtOnce: Int { Int(ts_resolver_most_under_way(number)) }
}
