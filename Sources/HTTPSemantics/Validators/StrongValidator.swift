/// A strong validator of a response's content (RFC 9110, 8.8.1).
///
/// Two responses with the same one have the same content, byte for byte. So a partial content may be
/// completed by a request with `If-Range`.
package enum StrongValidator: Sendable, Hashable {
    case entityTag(String)
    case lastModified(String)

    /// The minimum age of a `Last-Modified` date in seconds, by the server's clock.
    ///
    /// A date can't distinguish two contents of the same second (RFC 9110, 8.8.2.2). The server's
    /// clock is the one of its `Date` field: ours may differ.
    private static let age: Int64 = 1

    /// The names of the fields that decide about a response's validator.
    package static let fieldNames = ["ETag", "Last-Modified", "Date"]

    /// Creates the strong validator of a response; `nil` if it has none.
    ///
    /// With an entity tag, a date is no strong validator for `If-Range`, even if the tag is weak
    /// (RFC 9110, 13.1.5).
    ///
    /// - Parameters:
    ///   - field: Returns the value of the response's field of a name; `nil` if it is missing.
    ///   - now: About when the response arrived, in seconds since 1970.
    package init?(receivedAt now: Int64, field: (String) -> String?) {
        if let tag = field("ETag") {
            guard Self.isStrong(tag) else { return nil }
            self = .entityTag(tag)
            return
        }
        guard let text = field("Last-Modified"), Self.isPlain(text),
            let modified = HTTPDate.seconds(from: text, near: now),
            let date = field("Date").flatMap({ HTTPDate.seconds(from: $0, near: now) }),
            date - modified >= Self.age
        else { return nil }
        self = .lastModified(text)
    }

    /// Creates a validator from the value of an `If-Range` field that was stored.
    package init(fieldValue: String) {
        self = fieldValue.hasPrefix("\"") ? .entityTag(fieldValue) : .lastModified(fieldValue)
    }

    /// The value of the `If-Range` field.
    package var fieldValue: String {
        switch self {
        case .entityTag(let text), .lastModified(let text): text
        }
    }

    /// Whether a partial response belongs to another content, or doesn't say to which.
    ///
    /// An answer to `If-Range` must repeat the entity tag (RFC 9110, 15.3.7).
    ///
    /// - Parameter field: Returns the value of the response's field of a name.
    package func isContradicted(by field: (String) -> String?) -> Bool {
        switch self {
        case .entityTag(let tag): field("ETag") != tag
        case .lastModified: differs(from: field)
        }
    }

    /// Whether a response has another validator. It needn't have one, as a `416`.
    package func differs(from field: (String) -> String?) -> Bool {
        switch self {
        case .entityTag(let tag): field("ETag").map { $0 != tag } ?? false
        case .lastModified(let date): field("Last-Modified").map { $0 != date } ?? false
        }
    }

    /// Whether an entity tag is well-formed and not weak (RFC 9110, 8.8.3).
    private static func isStrong(_ tag: String) -> Bool {
        tag.utf8.count >= 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"") && isPlain(tag)
            && !tag.dropFirst().dropLast().utf8.contains(UInt8(ascii: "\""))
    }

    /// Whether a request may repeat the value: it has no control characters.
    private static func isPlain(_ value: String) -> Bool {
        value.utf8.allSatisfy { ($0 >= 0x20 || $0 == ASCII.tab) && $0 != 0x7f }
    }
}
