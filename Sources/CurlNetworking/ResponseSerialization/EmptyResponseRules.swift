public import CurlURLSession

/// Which responses may have an empty body where a value is made of it.
public struct EmptyResponseRules: Sendable, Hashable, Codable {
    /// Status codes that stand for an empty body; 204 (No Content) and 205 (Reset Content) by default.
    public var statusCodes: Set<Int>

    /// Methods that are answered without a body; `HEAD` by default. They are in capital letters.
    /// They count where the request is known: in ``ResponseValueSerialization/value(for:response:data:)``,
    /// and where a manager asks its serializer, be it by way of a ``CompoundResponseSerializer``.
    public var requestMethods: Set<String>

    /// Creates rules.
    public init(statusCodes: Set<Int> = [204, 205], requestMethods: Set<String> = ["HEAD"]) {
        self.statusCodes = statusCodes
        self.requestMethods = requestMethods
    }

    /// Whether an answer to a request may be empty. Of what is `nil` nothing is known, which allows
    /// nothing.
    public func allow(_ request: URLRequest?, _ response: HTTPURLResponse?) -> Bool {
        if let response, statusCodes.contains(response.statusCode) { return true }
        return request?.httpMethod.map { requestMethods.contains($0.uppercased()) } ?? false
    }
}
