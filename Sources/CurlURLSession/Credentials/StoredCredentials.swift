/// The credentials for one protection space.
struct StoredCredentials: Sendable {
    private var byUser: [String: URLCredential] = [:]
    /// The one that is tried first. It may be one without a user.
    private(set) var preferred: URLCredential?

    var isEmpty: Bool { byUser.isEmpty && preferred == nil }

    /// `nil` without any.
    var credentialsByUser: [String: URLCredential]? { byUser.isEmpty ? nil : byUser }

    /// Whether it changed anything. What replaces the default is the default.
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

    /// Whether it was there.
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
