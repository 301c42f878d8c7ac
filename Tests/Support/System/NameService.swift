import CTestSupport

/// The name service of the test process, for names such as `a.resolver.test`, which all are
/// 127.0.0.1. It is one for the process: tests that hold it up belong in one serialized suite.
package enum NameService {
    /// Answers nothing from here to the end of `body`.
    package static func hold<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        ts_resolver_hold()
        defer { ts_resolver_release() }
        return try await body()
    }

    /// Lets waiting look-ups have their answer.
    package static func release() { ts_resolver_release() }

    /// Waits until so many look-ups wait for their answer.
    package static func lookups(_ count: Int) async throws {
        try await NativeThread.run { ts_resolver_await(Int32(count)) }
    }

    /// Look-ups since the service was last held up.
    package static var asked: Int { Int(ts_resolver_asked()) }

    /// The most look-ups that waited at once since the service was last held up.
    package static var mostAtOnce: Int { Int(ts_resolver_most_under_way()) }
}
