import HTTPTypes

/// The fields of a request that are sent to another origin: that of a redirect or a mirror.
///
/// The fields of a list and of a run may have any name, and a name doesn't show reliably whether
/// the value is secret (`X-Sid`, `X-Auth`). So only fields that are known to be harmless are sent.
enum RedirectFields {
    private static let harmless: Set = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "dnt",
        "from", "idempotency-key", "if-match", "if-modified-since", "if-none-match", "if-range",
        "if-unmodified-since", "pragma", "prefer", "range", "user-agent",
    ]

    /// The fields that describe a body, which is sent again after 307 and 308.
    private static let content: Set = [
        "content-digest", "content-disposition", "content-encoding", "content-language",
        "content-md5", "content-type", "digest", "expect", "repr-digest",
    ]

    /// Removes what another origin must not receive.
    static func removePrivate(from fields: inout HTTPFields) {
        fields.removeAll { isPrivate($0.name) }
    }

    /// Whether another origin must not receive a field of this name.
    static func isPrivate(_ name: HTTPField.Name) -> Bool {
        let name = name.canonicalName
        return !harmless.contains(name) && !content.contains(name)
    }
}
