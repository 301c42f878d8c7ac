/// What a policy says of a server.
public enum ServerTrustVerdict: Sendable, Hashable {
    /// It is trusted.
    case trusted
    /// It isn't, for this reason.
    case refused(ServerTrustFailure)

    /// Whether it is trusted.
    public var isTrusted: Bool { self == .trusted }

    /// Why it isn't.
    public var failure: ServerTrustFailure? {
        if case .refused(let failure) = self { failure } else { nil }
    }
}
