/// One header field: a name and a value.
public struct HTTPHeader: Hashable, Sendable, Codable {
    /// As it was given. The case of its letters means nothing (RFC 9110, 5.1).
    public let name: String
    /// As it was given. One with a line break or a NUL makes a request fail before it is sent.
    public let value: String

    /// Creates a field.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Whether this is the field of a name, whatever the case of its letters.
    func isNamed(_ other: String) -> Bool {
        name.utf8.count == other.utf8.count && name.lowercased() == other.lowercased()
    }
}

extension HTTPHeader: CustomStringConvertible {
    /// `Name: value`.
    public var description: String { "\(name): \(value)" }
}
