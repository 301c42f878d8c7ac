/// The credentials for one protection space.
struct StoredCredentials: Sendable {
    private var byUser: [String: URLCredential] = [:]
    /// The default credential. It may have no user.
    private(set) var preferred: URLCredential?

    var isEmpty: Bool { byUser.isEmpty && preferred == nil }

    /// `nil` if there are none.
    var credentialsByUser: [String: URLCredential]? { byUser.isEmpty ? nil : byUser }

    /// Stores a credential. A replacement of the default becomes the default. Returns whether
    /// anything changed.
    mutating func set(_ credential: URLCredential, asDefault: Bool) -> Bool {
        var isChanged = false
        if let user = credential.user, byUser[user] != credential {
            byUser[user] = credential
            isChanged = true
        }
        let isPreferred = asDefault || preferred == nil || preferred?.user == credential.user
        if isPreferred, preferred != credential {
            preferred = credential
            isChanged = true
        }
        return isChanged
    }

    /// Removes a credential. Returns whether it was stored.
    mutating func remove(_ credential: URLCredential) -> Bool {
        var isChanged = false
        if let user = credential.user, byUser[user] == credential {
            byUser[user] = nil
            isChanged = true
        }
        if preferred == credential {
            preferred = nil
            isChanged = true
        }
        return isChanged
    }
}
