internal import Foundation

/// Which requests a stored response answers: those whose fields, as far as the response named them
/// in `Vary`, are those of the request that it came for (RFC 9111, 4.1).
///
/// A response that isn't marked `public` varies with the credentials too, whether it says so or not:
/// a program that asks for several users gives none what another one was given.
struct RequestVariance: Sendable, Hashable, Codable {
    /// The names of the fields, in small letters and sorted.
    let names: [String]
    /// A digest of their values, which may be secret; empty where there are no names.
    let digest: String
    /// Whether only a request without credentials is answered.
    let isAnonymous: Bool

    /// Every request is answered.
    static let any = RequestVariance(names: [], digest: "", isAnonymous: false)

    private init(names: [String], digest: String, isAnonymous: Bool) {
        self.names = names
        self.digest = digest
        self.isAnonymous = isAnonymous
    }

    /// `nil` where no request is answered, as `Vary: *` says.
    init?(of request: URLRequest, answeredBy fields: ResponseHeaderFields) {
        var names = Set(fields.values("Vary").flatMap { Self.members($0.lowercased()) })
        guard !names.contains("*") else { return nil }
        let isPublic = CacheDirectives(fields.values("Cache-Control")).contains("public")
        let isAnonymous = Self.credentials(of: request) == nil
        if !isPublic, !isAnonymous { names.insert(Self.authorization) }
        self.init(
            names: names.sorted(),
            digest: Self.digest(of: names.sorted(), in: request),
            isAnonymous: !isPublic && isAnonymous
        )
    }

    /// Whether the request is answered.
    func answers(_ request: URLRequest) -> Bool {
        if isAnonymous, Self.credentials(of: request) != nil { return false }
        return names.isEmpty || Self.digest(of: names, in: request) == digest
    }

    private static let authorization = "authorization"

    /// Fields whose values mean the same in capital and small letters.
    private static let caseless: Set<String> = [
        "accept-charset", "accept-encoding", "accept-language",
    ]

    private static func digest(of names: [String], in request: URLRequest) -> String {
        guard !names.isEmpty else { return "" }
        let text = names.map { name in
            guard let value = value(of: name, in: request) else { return "\(name)\n" }
            // With its length, no value can look like another field.
            return "\(name)=\(value.utf8.count)=\(value)\n"
        }
        return SHA256.hexDigest(of: text.joined())
    }

    /// A field's value, in one form for all that mean the same: without whitespace around the members
    /// of a list.
    private static func value(of name: String, in request: URLRequest) -> String? {
        if name == authorization { return credentials(of: request) }
        guard let text = request.value(forHTTPHeaderField: name) else { return nil }
        let value = members(text).joined(separator: ",")
        return caseless.contains(name) ? value.lowercased() : value
    }

    /// The members of a list, but for empty ones.
    private static func members(_ text: String) -> [String] {
        var scanner = FieldScanner(text.utf8)
        var members: [String] = []
        repeat {
            let member = scanner.listMember().trimmingFieldWhitespace
            if !member.isEmpty { members.append(member) }
        } while scanner.skip(",")
        return members
    }

    /// What the request proves its sender with: the field, else what stands in the URL.
    private static func credentials(of request: URLRequest) -> String? {
        if let field = request.value(forHTTPHeaderField: authorization) { return field }
        // Nearly all have none, and to take a URL apart takes time.
        guard let url = request.url, url.absoluteString.utf8.contains(UInt8(ascii: "@")),
            let user = url.user
        else { return nil }
        return "\(user):\(url.password ?? "")"
    }
}
