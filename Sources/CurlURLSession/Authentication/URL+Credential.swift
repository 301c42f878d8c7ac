internal import Foundation

extension URL {
    /// The user's name and password that the URL says; `nil` without a name.
    var credential: URLCredential? {
        guard let user = user(percentEncoded: false), !user.isEmpty else { return nil }
        return URLCredential(
            user: user,
            password: password(percentEncoded: false) ?? "",
            persistence: .none
        )
    }
}
