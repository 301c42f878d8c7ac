import CTestSupport

/// A name service of the test process, for names such as `a.resolver.test`, which all are 127.0.0.1.
/// Tests that hold the same one up belong in one serialized suite.
package struct NameService: Sendable {
    /// Of names in `resolver.test`, for the tests of the engine.
    package static let engine = NameService(number: 0, domain: "resolver.test")
    /// Of names in `lookup.test`, for the tests of sessions.
    package static let sessions = NameService(number: 1, domain: "lookup.test")

    private let number: Int32
    /// What its names end in.
    package let domain: String

    /// Answers nothing from here to the end of `body`.
    package func hold<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        ts_resolver_hold(number)
        defer { ts_resolver_release(number) }
        return try await body()
    }

    /// Lets waiting look-ups have their answer.
    package func release() { ts_resolver_release(number) }

    /// Waits until so many look-ups wait for their answer.
    package func lookups(_ count: Int) async throws {
        try await NativeThread.run { [number] in
            let result = ts_resolver_await(number, Int32(count), 300)
            guard result == 0 else { throw SystemError("look-ups", result) }
        }
    }

    /// Look-ups since the service was last held up.
    package var asked: Int { Int(ts_resolver_asked(number)) }

    /// The most look-ups that waited at once since the service was last held up.
    package var mostAtOnce: Int { Int(ts_resolver_most_under_way(number)) }
}
