internal import Foundation

extension HTTPSessionManager {
    /// Sets the policy by which servers are trusted, unless it would be of no use: without TLS nobody asks
    /// it. (The property itself takes any.)
    ///
    /// - Throws: ``InvalidSecurityPolicy`` for one that pins certificates where ``baseURL`` isn't `https`,
    ///   or there is none.
    public func setSecurityPolicy(_ policy: SecurityPolicy) throws {
        guard policy.sslPinningMode == .none || baseURL?.scheme == "https" else {
            throw InvalidSecurityPolicy(mode: policy.sslPinningMode)
        }
        securityPolicy = policy
    }
}
