internal import Foundation
internal import HTTPSemantics

/// Which requests a stored response answers (RFC 9111, 4.1).
///
/// A request matches if the fields that the response's `Vary` names have the same values as in the
/// original request.
///
/// A response that isn't marked `public` also varies with the credentials, even if `Vary` doesn't
/// say so: a program that serves several users never gives one user's response to another.
struct RequestVariance: Sendable, Hashable, Codable {
    /// The names of the fields, lowercase and sorted.
    let names: [String]
    /// A digest of the fields' values, which may be secret; empty without names.
    let digest: String
    /// Whether only requests without credentials match.
    let isAnonymous: Bool

    /// Matches every request.
    static let any = RequestVariance(names: [], digest: "", isAnonymous: false)

    private init(names: [String], digest: String, isAnonymous: Bool) {
        self.names = names
        self.digest = digest
        self.isAnonymous = isAnonymous
    }

    /// `nil` if no request matches, as with `Vary: *`, or if the system can't compute digests.
    init?(of request: URLRequest, answeredBy fields: ResponseHeaderFields) {
        var names = Set(fields.values("Vary").flatMap { Self.members($0.lowercased()) })
        guard !names.contains("*") else { return nil }
        let isPublic = CacheDirectives(fields.values("Cache-Control")).contains("public")
        let isAnonymous = Self.credentials(of: request) == nil
        if !isPublic, !isAnonymous { names.insert(Self.authorization) }
        guard let digest = Self.digest(of: names.sorted(), in: request) else { return nil }
        self.init(
            names: names.sorted(),
            digest: digest,
            isAnonymous: !isPublic && isAnonymous
        )
    }

    /// Whether the request matches.
    func answers(_ request: URLRequest) -> Bool {
        if isAnonymous, Self.credentials(of: request) != nil { return false }
        return names.isEmpty || Self.digest(of: names, in: request) == digest
    }

    private static let authorization = "authorization"

    /// The fields whose values are case-insensitive.
    private static let caseless: Set<String> = [
        "accept-charset", "accept-encoding", "accept-language",
    ]

    private static func digest(of names: [String], in request: URLRequest) -> String? {
        guard !names.isEmpty else { return "" }
        let text = names.map { name in
            guard let value = value(of: name, in: request) else { return "\(name)\n" }
            // The length prevents a value from imitating another field.
            return "\(name)=\(value.utf8.count)=\(value)\n"
        }
        let digest = MessageDigest.of(Array(text.joined().utf8), .sha256)
        return digest.isEmpty ? nil : Hexadecimal.text(digest)
    }

    /// A field's value in canonical form, without whitespace around list members.
    private static func value(of name: String, in request: URLRequest) -> String? {
        if name == authorization { return credentials(of: request) }
        // Sessions add this field to requests that lack it.
        let added = name == "accept-language" ? AddedFields.acceptLanguage : nil
        guard let text = request.value(forHTTPHeaderField: name) ?? added else { return nil }
        let value = members(text).joined(separator: ",")
        return caseless.contains(name) ? value.lowercased() : value
    }

    /// The members of a list, without empty ones.
    private static func members(_ text: String) -> [String] {
        var scanner = FieldScanner(text.utf8)
        var members: [String] = []
        repeat {
            let member = scanner.listMember().trimmingFieldWhitespace
            if !member.isEmpty { members.append(member) }
        } while scanner.skip(",")
        return members
    }

    /// The request's credentials: the `Authorization` field, otherwise the user info in the URL.
    private static func credentials(of request: URLRequest) -> String? {
        if let field = request.value(forHTTPHeaderField: authorization) { return field }
        // Nearly all URLs have none, and parsing a URL takes time.
        guard let url = request.url, url.absoluteString.utf8.contains(UInt8(ascii: "@")),
            let user = url.user
        else { return nil }
        return "\(user):\(url.password ?? "")"
    }
}
