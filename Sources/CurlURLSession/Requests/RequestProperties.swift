internal import Foundation

// `@unchecked Sendable`: all properties are constant. The owner of a value set on a request gives
// it up or never changes it, as `URLProtocol.setProperty(_:forKey:in:)` requires. Only the
// protocol that has the request reads a body stream, on one thread at a time.
/// The properties that a `URLProtocol` sets on a request. They are never sent.
///
/// They don't affect equality, and aren't archived.
struct RequestProperties: @unchecked Sendable {
    /// The values by key.
    let values: [String: Any]
    /// Reads the body in memory, for protocols that expect a stream.
    let bodyStream: InputStream?

    init(values: [String: Any] = [:], bodyStream: InputStream? = nil) {
        self.values = values
        self.bodyStream = bodyStream
    }

    /// Returns a copy with another value for `key`; `nil` removes it.
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
