internal import Foundation

/// What a task has tried to authenticate with.
struct AuthenticationHistory: Sendable {
    private var failures: [URLProtectionSpace: Int] = [:]
    /// The credential that the request under way carries.
    var current: Authorization.Proof?
    /// The last credential that was refused, proposed again for the user to see.
    private(set) var refused: URLCredential?

    /// How many credentials a protection space has refused.
    func failureCount(for space: URLProtectionSpace) -> Int { failures[space] ?? 0 }

    /// The server asks, again if the request carried a credential.
    mutating func noteChallenge() {
        guard let proof = current.take() else { return }
        failures[proof.space, default: 0] += 1
        refused = proof.credential
    }
}
