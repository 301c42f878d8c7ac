internal import CurlTransport
internal import CurlURLSession
internal import Foundation
internal import Synchronization

/// The exchangers that answer requests of sessions, by the numbers in their configurations.
final class StubRegistry: Sendable {
    static let shared = StubRegistry()

    /// The field that a configuration adds to requests. The stub doesn't get it.
    static let fieldName = "X-CurlNetworking-Stub"

    private let exchangers = Mutex<[any HTTPExchanging]>([])

    private init() {}

    /// Adds an exchanger, and returns the value of the field.
    func add(_ exchanger: any HTTPExchanging) -> String {
        exchangers.withLock { exchangers in
            exchangers.append(exchanger)
            return String(exchangers.count - 1)
        }
    }

    /// The exchanger for a request; nil if its session has none.
    func exchanger(for request: URLRequest) -> (any HTTPExchanging)? {
        guard let value = request.value(forHTTPHeaderField: Self.fieldName),
            let index = Int(value)
        else { return nil }
        return exchangers.withLock { $0.indices.contains(index) ? $0[index] : nil }
    }
}
