package import CurlURLSession
public import Foundation

/// The reason why a server isn't trusted.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ServerTrustFailure: Error, Sendable, Hashable {
    /// The server presented no readable certificate.
    case noCertificate
    /// A certificate has expired.
    case expired
    /// A certificate isn't valid yet.
    case notYetValid
    /// The certificate isn't for this host.
    case hostName(String)
    /// The certificates lead to no trusted authority.
    case unknownAuthority
    /// No certificate is pinned, or no key of one.
    ///
    /// The certificates are valid otherwise.
    case pinMismatch
    /// The policy pins certificates, but contains none.
    case noPins
    /// The policy allows invalid certificates and validates names, which requires pinned
    /// certificates.
    case pinningRequired
    /// The host has no policy, and one is required.
    case noPolicy(String)
    /// Another failure, with the verifier's description.
    case other(String)
}

extension ServerTrustFailure: LocalizedError {
    /// A description of the failure in one sentence.
    public var errorDescription: String? {
        switch self {
        case .noCertificate: "The server presented no readable certificate."
        case .expired: "A certificate of the server has expired."
        case .notYetValid: "A certificate of the server isn't valid yet."
        case .hostName(let host): "The server's certificate isn't for “\(host)”."
        case .unknownAuthority: "The server's certificate chain ends at no trusted authority."
        case .pinMismatch: "None of the server's certificates is pinned."
        case .noPins: "The policy requires pinned certificates but has none."
        case .pinningRequired: SecurityPolicy.pinningRequirement
        case .noPolicy(let host): "There is no policy for “\(host)”."
        case .other(let reason): "The server's certificate was refused: \(reason)."
        }
    }
}

/// The result of evaluating a server's trust.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ServerTrustEvaluation: Sendable, Hashable {
    /// The server is trusted.
    case trusted
    /// The server isn't trusted, for this reason.
    case refused(ServerTrustFailure)

    /// Whether the server is trusted.
    public var isTrusted: Bool { self == .trusted }

    /// The reason why the server isn't trusted; otherwise `nil`.
    public var failure: ServerTrustFailure? {
        if case .refused(let failure) = self { failure } else { nil }
    }
}

extension NSError {
    /// The error for a server that a policy doesn't trust.
    ///
    /// It is the loading system's error with AFNetworking's text. The failed check is its failure
    /// reason and its underlying error.
    ///
    /// - Parameters:
    ///   - failure: The policy's failure.
    ///   - trust: The server's trust.
    ///   - url: The URL of the request. User name and password are removed.
    package static func untrustedServer(
        _ failure: ServerTrustFailure?,
        trust: SecTrust?,
        url: URL?
    ) -> NSError {
        let url = url?.withoutUserInfo
        let host = url?.host ?? "(null)"
        var info: [String: Any] = [
            NSLocalizedDescriptionKey: "The certificate for this server is invalid. You might be "
                + "connecting to a server that is pretending to be “\(host)” which could put your "
                + "confidential information at risk."
        ]
        info[NSURLErrorFailingURLPeerTrustErrorKey] = trust
        info[NSURLErrorFailingURLErrorKey] = url
        info["NSErrorFailingURLStringKey"] = url?.absoluteString
        info[NSLocalizedFailureReasonErrorKey] = failure?.errorDescription
        info[NSUnderlyingErrorKey] = failure
        // On Linux, Foundation's global constant of this name has another value.
        return NSError(
            domain: NSURLErrorDomain,
            code: URLError.Code.serverCertificateUntrusted.rawValue,
            userInfo: info
        )
    }
}

/// A pinning policy that can't be applied: AFNetworking's exception of this name.
public struct InvalidSecurityPolicy: Error, Sendable, Hashable, LocalizedError {
    /// The policy's mode.
    public let mode: SSLPinningMode

    /// AFNetworking's name of the exception: `Invalid Security Policy`.
    public var name: String { "Invalid Security Policy" }

    /// AFNetworking's description of the error.
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

    /// The same as ``reason``.
    public var errorDescription: String? { reason }
}
