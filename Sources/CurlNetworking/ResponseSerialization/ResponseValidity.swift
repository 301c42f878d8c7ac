/// What a check of a response came to.
public enum ResponseValidity: Sendable {
    /// The response is acceptable.
    case valid

    /// It isn't.
    ///
    /// There is no error where an unacceptable media type does no harm: the body is empty, or nobody
    /// knows where it came from. AFNetworking's serializers tell it from a valid response as well.
    case invalid((any Error)?)

    /// Whether the response is acceptable.
    public var isValid: Bool { if case .valid = self { true } else { false } }

    /// What is wrong, where that is told.
    public var error: (any Error)? { if case .invalid(let error) = self { error } else { nil } }
}
