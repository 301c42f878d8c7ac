public import Foundation
internal import HTTPSemantics

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
                PercentCoding.append(escapeOf: byte, to: &bytes)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The escaped names and values, joined with `&`.
    static func joined(_ pairs: [QueryStringPair]) -> String {
        pairs.map(\.escaped).joined(separator: "&")
    }

    private static func isKept(_ byte: UInt8) -> Bool {
        byte.isUnreserved || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?")
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
        try queryStringPairs(
            from: parameters,
            arrayEncoding: arrayEncoding,
            boolEncoding: boolEncoding
        )
    )
}

/// Returns the names and values of parameters: AFNetworking's `AFQueryStringPairsFromDictionary`.
///
/// They are in the order of ``queryString(from:arrayEncoding:boolEncoding:)``, and not yet escaped.
///
/// - Parameters:
///   - parameters: A dictionary; or a single value, not a collection, which has no name.
///   - arrayEncoding: How array elements are named.
///   - boolEncoding: How Booleans are written.
/// - Throws: An error of ``URLRequestSerializationErrorDomain`` for an array or set, whose elements
///   have no name.
public func queryStringPairs(
    from parameters: Any,
    arrayEncoding: ArrayEncoding = .brackets,
    boolEncoding: BoolEncoding = .numeric
) throws -> [QueryStringPair] {
    try QueryStringPair.pairs(
        of: parameters,
        QueryStringPair.Style(arrayEncoding: arrayEncoding, boolEncoding: boolEncoding)
    )
}

/// An unescaped name and value of a query or a part.
public struct QueryStringPair: Sendable, Hashable {
    /// The value of a pair.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Value: Sendable, Hashable {
        /// There is no value; the query has no `=`.
        case none
        /// Text, also of a number or a date.
        case text(String)
        /// Data, which is Base64 in a query and unchanged in a part.
        case data(Data)
    }

    /// How arrays and Booleans are written.
    struct Style {
        var arrayEncoding = ArrayEncoding.brackets
        var boolEncoding = BoolEncoding.numeric
    }

    /// The name; `nil` if the parameters are a single value.
    public let name: String?
    /// The value.
    public let value: Value

    /// The escaped text in a query, such as `a%20b=1`.
    public var escaped: String {
        let name = QueryString.escaped(name ?? "")
        return switch value {
        case .none: name
        case .text(let text): name + "=" + QueryString.escaped(text)
        case .data(let data): name + "=" + QueryString.escaped(data.base64EncodedString())
        }
    }

    /// All names and values of the parameters, in order.
    static func pairs(of parameters: Any, _ style: Style) throws -> [QueryStringPair] {
        switch ParameterValue(parameters) {
        case .none:
            return []
        case .array, .set:
            throw URLRequestSerializationError.invalidParameters(
                "The `parameters` argument is a collection whose elements have no names; use a "
                    + "dictionary."
            )
        case .text, .bool, .data, .dictionary:
            var pairs: [QueryStringPair] = []
            append(parameters, nil, style, to: &pairs)
            return pairs
        }
    }

    private static func append(
        _ value: Any,
        _ name: String?,
        _ style: Style,
        to pairs: inout [QueryStringPair]
    ) {
        switch ParameterValue(value) {
        case .none:
            pairs.append(QueryStringPair(name: name, value: .none))
        case .text(let text):
            pairs.append(QueryStringPair(name: name, value: .text(text)))
        case .bool(let bool):
            pairs.append(QueryStringPair(name: name, value: .text(style.boolEncoding.text(bool))))
        case .data(let data):
            pairs.append(QueryStringPair(name: name, value: .data(data)))
        case .dictionary(let dictionary):
            let entries = dictionary.map { (ParameterValue.description(of: $0.key.base), $0.value) }
            for (key, inner) in entries.sorted(by: { $0.0 < $1.0 }) {
                append(inner, name.map { "\($0)[\(key)]" } ?? key, style, to: &pairs)
            }
        case .array(let array):
            for (index, element) in array.enumerated() {
                let key = style.arrayEncoding.key(name ?? "", at: index)
                append(element, key, style, to: &pairs)
            }
        case .set(let set):
            let members = set.map { (ParameterValue.description(of: $0.base), $0.base) }
            for (_, member) in members.sorted(by: { $0.0 < $1.0 }) {
                append(member, name, style, to: &pairs)
            }
        }
    }
}

/// A parameter value, converted from a Swift type or a Foundation class.
enum ParameterValue {
    case none
    case text(String)
    case bool(Bool)
    case data(Data)
    case array([Any])
    case set(Set<AnyHashable>)
    case dictionary([AnyHashable: Any])

    init(_ value: Any) {
        if let optional = value as? any OptionalValue {
            self = optional.wrapped.map { ParameterValue($0) } ?? .none
        } else if value is NSNull {
            self = .none
        } else if let number = value as? NSNumber, type(of: value) is AnyClass {
            self = Self.number(number)
        } else {
            self = Self.scalar(value) ?? Self.collection(value) ?? .text(String(describing: value))
        }
    }

    private static func scalar(_ value: Any) -> ParameterValue? {
        switch value {
        case let text as String: .text(text)
        case let bool as Bool: .bool(bool)
        case let integer as any BinaryInteger: .text(String(describing: integer))
        case let number as Double: .text(text(of: number))
        case let number as Float: .text(withoutFraction(number.description))
        case let data as Data: .data(data)
        case let url as URL: .text(url.absoluteString)
        case let identifier as UUID: .text(identifier.uuidString)
        case let date as Date: .text(date.description)
        default: nil
        }
    }

    /// Writes `1.0` as `1`, as `NSNumber` describes it.
    static func text(of number: Double) -> String {
        withoutFraction(number.description)
    }

    private static func withoutFraction(_ text: String) -> String {
        text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Recognizes Booleans by the class of the number.
    private static func number(_ number: NSNumber) -> ParameterValue {
        String(describing: type(of: number)).hasSuffix("Boolean")
            ? .bool(number.boolValue) : .text(withoutFraction(number.stringValue))
    }

    private static func collection(_ value: Any) -> ParameterValue? {
        if let dictionary = value as? [AnyHashable: Any] { return .dictionary(dictionary) }
        if let array = value as? [Any] { return .array(array) }
        return (value as? Set<AnyHashable>).map { .set($0) }
    }

    /// The text of a key, or of a member of a set.
    static func description(of value: Any) -> String {
        switch ParameterValue(value) {
        case .none: ""
        case .text(let text): text
        case .bool(let bool): BoolEncoding.numeric.text(bool)
        case .data(let data): data.base64EncodedString()
        case .array, .set, .dictionary: String(describing: value)
        }
    }
}

/// Detects an optional of any type that is stored as `Any`.
private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrapped: Any? { map { $0 as Any } }
}
