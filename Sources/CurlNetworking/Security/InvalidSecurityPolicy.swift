public import Foundation

/// A policy that pins certificates, and would be of no use: AFNetworking's exception of this name.
public struct InvalidSecurityPolicy: Error, Sendable, Hashable, LocalizedError {
    /// The policy's mode.
    public let mode: SSLPinningMode

    /// AFNetworking's name of it: `Invalid Security Policy`.
    public var name: String { "Invalid Security Policy" }

    /// What is wrong, as AFNetworking says it.
    public var reason: String {
        let name =
            switch mode {
            case .none: "AFSSLPinningModeNone"
            case .publicKey: "AFSSLPinningModePublicKey"
            case .certificate: "AFSSLPinningModeCertificate"
            }
        return "A security policy configured with `\(name)` can only be applied on a manager with "
            + "a secure base URL (i.e. https)"
    }

    /// What is wrong.
    public var errorDescription: String? { reason }
}
