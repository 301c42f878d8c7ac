/// Recognises the fields of a request that contain credentials, by their names.
///
/// Redirects to another origin, logs, journals and archives leave them out.
package enum SensitiveFields {
    private static let words: Set<Substring> = [
        "authorization", "cookie", "cookie2", "token", "secret", "password", "apikey", "credential",
        "credentials", "session", "jwt", "signature",
    ]

    /// Fields that end in `key` and contain no credentials.
    private static let plainKeys: Set = ["idempotency-key", "sec-websocket-key"]

    /// The most frequent names, in lower case. ``contain(_:)`` is true for each of them.
    package static let usualNames: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "x-auth-token",
        "x-csrf-token", "x-amz-security-token",
    ]

    /// Whether a field contains credentials: `Authorization`, `Cookie`, `X-API-Key`,
    /// `X-Auth-Token` and similar.
    ///
    /// A word of the name decides. Case is ignored.
    package static func contain(_ name: String) -> Bool {
        let name = name.lowercased()
        let parts = name.split { $0 == "-" || $0 == "_" }
        if parts.contains(where: { words.contains($0) }) { return true }
        return parts.last == "key" && !plainKeys.contains(name)
    }

    /// Whether a field is one of `names`, which are in lower case.
    ///
    /// As long as these contain all ``usualNames``, similar fields count, too: see
    /// ``contain(_:)``.
    package static func contain(_ name: String, orIn names: Set<String>) -> Bool {
        names.contains(name.lowercased()) || (names.isSuperset(of: usualNames) && contain(name))
    }
}
