/// A type of which one value stands for an empty body.
public protocol EmptyResponse {
    /// The value that stands for an empty body.
    static var emptyValue: Self { get }
}

/// The value of responses that never have a body: `DecodableResponseSerializer<Empty>`.
public struct Empty: EmptyResponse, Codable, Sendable, Hashable {
    /// Creates the value.
    public init() {}
    /// The one value there is.
    public static var emptyValue: Empty { Empty() }
}

extension Optional: EmptyResponse {
    /// `nil`.
    public static var emptyValue: Wrapped? { nil }
}
