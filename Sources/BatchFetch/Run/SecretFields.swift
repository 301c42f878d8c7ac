import HTTPTypes

/// Which fields prove who asks, by their names.
enum SecretFields {
    private static let words: Set<Substring> = [
        "authorization", "cookie", "cookie2", "token", "secret", "password", "apikey", "credential",
        "credentials", "session", "jwt", "signature",
    ]
    /// Keys that open nothing.
    private static let plainKeys: Set = ["idempotency-key", "sec-websocket-key"]

    /// `Authorization`, `Cookie`, `X-API-Key`, `X-Auth-Token` and the like.
    static func contain(_ name: HTTPField.Name) -> Bool {
        let name = name.canonicalName
        let parts = name.split { $0 == "-" || $0 == "_" }
        if parts.contains(where: { words.contains($0) }) { return true }
        return parts.last == "key" && !plainKeys.contains(name)
    }

    /// Those of a request.
    static func names(in fields: HTTPFields) -> [HTTPField.Name] {
        fields.map(\.name).filter { contain($0) }
    }
}
