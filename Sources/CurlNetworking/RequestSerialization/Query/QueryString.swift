/// Escaping and joining for queries and URL-encoded bodies.
enum QueryString {
    /// Percent-encodes all characters except the unreserved ones, `/` and `?`.
    ///
    /// These are the characters that RFC 3986, 3.4 allows in a query, except the delimiters
    /// `:#[]@!$&'()*+,;=`, which have a meaning there.
    static func escaped(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isKept) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 2)
        for byte in text.utf8 {
            if isKept(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The escaped names and values, joined with `&`.
    static func joined(_ pairs: [QueryStringPair]) -> String {
        pairs.map(\.escaped).joined(separator: "&")
    }

    private static func isKept(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"), UInt8(ascii: "?"):
            true
        default:
            false
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}

/// Percent-encodes text for a query: AFNetworking's `AFPercentEscapedStringFromString`.
///
/// All characters except `A–Z a–z 0–9 - . _ ~ / ?` are written as `%XX` of their UTF-8 bytes: a
/// space as `%20`, and a `%` as `%25`, even if it already starts an escape.
public func percentEscapedString(from string: String) -> String {
    QueryString.escaped(string)
}

/// Writes parameters as a query: AFNetworking's `AFQueryStringFromParameters`.
///
/// - Dictionaries are sorted by their keys' descriptions, by scalar values, so that `B` precedes
///   `a`. Entries of a nested dictionary are named `outer[inner]`.
/// - Arrays keep their order. `arrayEncoding` names their elements.
/// - Members of a set are sorted by their descriptions, and all have the same key.
/// - `nil` and `NSNull` are a key without `=`. Empty collections are omitted.
/// - Text, numbers (`1.0` is `1`), dates (`2001-01-01 00:00:00 +0000`), URLs and UUIDs are written
///   as their descriptions, Booleans according to `boolEncoding`, and data in Base64. Other values
///   are written with `String(describing:)`.
///
/// - Parameters:
///   - parameters: A dictionary; or a single value, not a collection, which has no name: `=value`.
///   - arrayEncoding: How array elements are named.
///   - boolEncoding: How Booleans are written.
/// - Returns: The query, without `?`. Empty if there are no parameters.
/// - Throws: An error of ``URLRequestSerializationErrorDomain`` for an array or set, whose elements
///   have no name.
public func queryString(
    from parameters: Any,
    arrayEncoding: ArrayEncoding = .brackets,
    boolEncoding: BoolEncoding = .numeric
) throws -> String {
    QueryString.joined(
        try QueryStringPair.pairs(
            of: parameters,
            QueryStringPair.Style(arrayEncoding: arrayEncoding, boolEncoding: boolEncoding)
        )
    )
}
