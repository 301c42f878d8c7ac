/// A header field for a proxy. See <https://curl.se/libcurl/c/CURLOPT_PROXYHEADER.html>.
public struct ProxyHeader: Sendable, Hashable {
    /// The field's name, a token of RFC 9110.
    public var name: String

    /// The field's value.
    public var value: String

    /// Creates a header field.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension ProxyHeader: CustomStringConvertible, CustomReflectable {
    /// The name: the value may be a secret.
    public var description: String { name }

    /// Shows no more than ``description``.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
