package import HTTPTypes

extension HTTPFields {
    /// Fields that concern a single connection (RFC 9110, section 7.6.1), in lower case.
    ///
    /// `Expect` is among them: hummingbird can't pass an interim `100 Continue` on.
    private static let connectionFields: Set<String> = [
        "connection", "expect", "keep-alive", "proxy-connection", "te", "transfer-encoding",
        "upgrade",
    ]

    /// The fields that a proxy passes on.
    package var endToEnd: HTTPFields {
        var named: Set<String> = []
        for value in self[values: .connection] {
            for name in value.split(separator: ",") {
                named.insert(name.filter { $0 != " " && $0 != "\t" }.lowercased())
            }
        }
        var fields = HTTPFields()
        for field in self {
            let name = field.name.canonicalName
            if !Self.connectionFields.contains(name), !named.contains(name) { fields.append(field) }
        }
        return fields
    }

    /// Adds this gateway to `Via` (RFC 9110, section 7.6.3).
    package mutating func appendVia(version: String) {
        append(HTTPField(name: .via, value: "\(version) gateway"))
    }

    /// Adds the client's address, and what the client asked for, in the fields that are customary.
    mutating func appendForwarded(for address: String?, host: String?) {
        if let address, let name = HTTPField.Name("X-Forwarded-For") {
            self[name] = (self[values: name] + [address]).joined(separator: ", ")
        }
        if let host, let name = HTTPField.Name("X-Forwarded-Host") { self[name] = host }
        if let name = HTTPField.Name("X-Forwarded-Proto") { self[name] = "http" }
    }
}
