internal import Foundation

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
