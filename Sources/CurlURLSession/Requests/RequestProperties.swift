internal import Foundation

/// What a `URLProtocol` is given along with a request, and nobody sends.
///
/// It has no part in what makes requests equal, and isn't archived.
///
/// `@unchecked Sendable`: nothing here changes. Values that were put into a request are given up by
/// their owner, or don't change either, as `URLProtocol.setProperty(_:forKey:in:)` says; a body
/// stream is read by the one protocol that has the request, on one thread at a time.
struct RequestProperties: @unchecked Sendable {
    /// By the keys that they were set for.
    let values: [String: Any]
    /// Reads the same bytes as the body that is in memory, for protocols that expect a stream.
    let bodyStream: InputStream?

    init(values: [String: Any] = [:], bodyStream: InputStream? = nil) {
        self.values = values
        self.bodyStream = bodyStream
    }

    /// With another value for `key`; without one for `nil`.
    func setting(_ value: Any?, for key: String) -> RequestProperties {
        var changed = values
        changed[key] = value
        return RequestProperties(values: changed, bodyStream: bodyStream)
    }

    func setting(bodyStream: InputStream?) -> RequestProperties {
        RequestProperties(values: values, bodyStream: bodyStream)
    }
}

extension RequestProperties: Hashable {
    static func == (lhs: RequestProperties, rhs: RequestProperties) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
