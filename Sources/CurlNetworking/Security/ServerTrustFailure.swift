public import Foundation

/// Why a server isn't trusted.
public enum ServerTrustFailure: Error, Sendable, Hashable {
    /// It presented no certificate that can be read.
    case noCertificate
    /// A certificate is no longer valid.
    case expired
    /// A certificate isn't valid yet.
    case notYetValid
    /// The certificate is for another host than this one.
    case hostName(String)
    /// The certificates lead to no authority that is trusted.
    case unknownAuthority
    /// The certificates are good, but none of them, or of their keys, is pinned.
    case pinMismatch
    /// The policy compares with pinned certificates, and has none.
    case noPins
    /// The policy allows invalid certificates and checks names, which needs pinned certificates.
    case pinningRequired
    /// There is no policy for this host, and there has to be one.
    case noPolicy(String)
    /// Anything else, in the verifier's words.
    case other(String)
}

extension ServerTrustFailure: LocalizedError {
    /// What was found, in a sentence.
    public var errorDescription: String? {
        switch self {
        case .noCertificate: "The server presented no certificate that can be read."
        case .expired: "A certificate of the server has expired."
        case .notYetValid: "A certificate of the server isn't valid yet."
        case .hostName(let host): "The server's certificate isn't for “\(host)”."
        case .unknownAuthority: "The server's certificate leads to no authority that is trusted."
        case .pinMismatch: "The server's certificates are none of those that are pinned."
        case .noPins: "The policy compares with pinned certificates, and has none."
        case .pinningRequired: SecurityPolicy.pinningRequirement
        case .noPolicy(let host): "There is no policy for “\(host)”."
        case .other(let reason): "The server's certificate was refused: \(reason)."
        }
    }
}
