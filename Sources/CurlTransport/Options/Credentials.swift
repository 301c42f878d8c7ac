/// A user's name and password. Neither appears in a description.
public struct Credentials: Sendable, Hashable {
    /// The user's name.
    public var user: String

    /// The password, which may be empty.
    public var password: String

    /// Creates credentials.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}

extension Credentials: CustomStringConvertible, CustomReflectable {
    /// A placeholder, which keeps secrets out of logs.
    public var description: String { "credentials" }

    /// Shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
