internal import HTTPSemantics
internal import HTTPTypes

/// Removes secrets from what is recorded, as from the library's logs.
///
/// Replaced by `<redacted>` are the values of
///
/// - header fields such as `Authorization`, `Cookie` and `Set-Cookie`, and all whose names have a
///   word such as token, secret, password, session or signature, or end in key;
/// - parameters with such names in a URL's query and fragment, and in content of the type
///   `application/x-www-form-urlencoded`;
/// - members with such names in JSON content, at each depth, with all that is in them;
/// - the user name and password of a URL.
///
/// A recording client and a replaying client need the same redaction, because a request is looked
/// up in its redacted form. Read a recording before you commit it: other secrets stay.
public struct RecordingRedaction: Sendable {
    /// What replaces a secret.
    public static let mark = "<redacted>"

    /// Further names of fields, parameters and members, in any letter case.
    public var names: Set<String>

    /// Changes content after the replacements above; nil to leave it.
    ///
    /// Its parameters are the value of `Content-Type`, or nil, and the content.
    public var content: (@Sendable (_ type: String?, _ bytes: [UInt8]) -> [UInt8])?

    /// Creates a redaction.
    public init(
        names: Set<String> = [],
        content: (@Sendable (_ type: String?, _ bytes: [UInt8]) -> [UInt8])? = nil
    ) {
        self.names = names
        self.content = content
    }

    func isSecret(_ name: some StringProtocol) -> Bool {
        let words = Self.words(of: name)
        let name = name.lowercased()
        return SensitiveFields.contain(words) || names.contains { $0.lowercased() == name }
            || Self.secretEndings.contains { name.hasSuffix($0) }
    }

    /// The words of a name with `-` between them.
    ///
    /// Parameters and members are often in camel case, and parameters of nested values have
    /// brackets: `accessToken`, `user[password]`.
    private static func words(of name: some StringProtocol) -> String {
        var words = ""
        var previous: Character = "-"
        for character in name {
            if character.isUppercase, previous.isLowercase { words.append("-") }
            words.append(character == "[" || character == "]" || character == "." ? "-" : character)
            previous = character
        }
        return words
    }

    private static let secretEndings = [
        "token", "secret", "password", "passwd", "apikey", "accesskey", "signature", "sessionid",
    ]

    // MARK: Parts of messages

    /// The fields, each as a name and a value.
    func fields(_ fields: HTTPFields) -> [(name: String, value: String)] {
        fields.map { field in
            let name = field.name.rawName
            if isSecret(name) { return (name, Self.mark) }
            let holdsURL = ["location", "content-location", "referer"].contains(name.lowercased())
            return (name, holdsURL ? url(field.value) : field.value)
        }
    }

    func url(_ url: String) -> String {
        var url = Substring(url)
        var fragment = Substring()
        if let hash = url.firstIndex(of: "#") { (url, fragment) = (url[..<hash], url[hash...]) }
        var query = Substring()
        if let mark = url.firstIndex(of: "?") {
            query = url[url.index(after: mark)...]
            url = url[..<mark]
        }
        var text = String(url)
        if let start = url.firstRange(of: "//")?.upperBound {
            let authority = url[start...].prefix { $0 != "/" }
            if let at = authority.lastIndex(of: "@") {
                text = url[..<start] + Self.mark + url[at...]
            }
        }
        if !query.isEmpty { text += "?" + parameters(query) }
        // Some servers pass tokens on in the fragment of a redirect.
        return fragment.isEmpty ? text : text + "#" + parameters(fragment.dropFirst())
    }

    /// Parameters in the form of a query.
    private func parameters(_ text: Substring) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { part in
            guard let equals = part.firstIndex(of: "=") else { return String(part) }
            let bytes = PercentCoding.decode(part[..<equals].utf8)
            let name = bytes.map { String(decoding: $0, as: UTF8.self) } ?? String(part[..<equals])
            return isSecret(name) ? part[...equals] + Self.mark : String(part)
        }.joined(separator: "&")
    }

    func content(_ bytes: [UInt8], type: String?) -> [UInt8] {
        let kind = type.map { ParameterizedValue($0).value.lowercased() } ?? ""
        var bytes = bytes
        if kind == "application/x-www-form-urlencoded",
            let text = String(validating: bytes, as: UTF8.self)
        {
            bytes = Array(parameters(Substring(text)).utf8)
        } else if kind.hasSuffix("json"), let value = try? JSONParser.parse(bytes) {
            // Content without secrets keeps its bytes.
            let redacted = json(value)
            if redacted != value { bytes = Array(redacted.description.utf8) }
        }
        return content?(type, bytes) ?? bytes
    }

    /// - Parameter isSecret: Whether the value belongs to a member with such a name.
    private func json(_ value: JSONValue, isSecret: Bool = false) -> JSONValue {
        switch value {
        case .array(let values): .array(values.map { json($0, isSecret: isSecret) })
        case .object(let members):
            .object(
                members.map { member in
                    var member = member
                    let isSecret = isSecret || self.isSecret(member.name)
                    member.value = json(member.value, isSecret: isSecret)
                    return member
                }
            )
        case .string, .number: isSecret ? .string(Self.mark) : value
        default: value
        }
    }
}
