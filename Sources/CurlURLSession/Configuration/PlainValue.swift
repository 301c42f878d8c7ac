internal import Foundation

/// An immutable copy of a value from an untyped dictionary.
///
/// Strings, numbers and arrays keep their type. Other values are replaced by their description.
enum PlainValue: Sendable, Hashable {
    case text(String)
    case flag(Bool)
    case integer(Int)
    case real(Double)
    case list([PlainValue])
    case other(String)

    // Swift's own types come first, and `Bool` by its exact type: objects may be cast to several
    // types.
    init(_ value: Any) {
        if type(of: value) == Bool.self, let flag = value as? Bool {
            self = .flag(flag)
        } else if let number = value as? any BinaryInteger {
            if let whole = Int(exactly: number) {
                self = .integer(whole)
            } else {
                self = .other("\(number)")
            }
        } else if let number = value as? any BinaryFloatingPoint {
            self = .real(Double(number))
        } else if let text = value as? any StringProtocol {
            self = .text("\(text)")
        } else if let list = value as? [Any] {
            self = .list(list.map { PlainValue($0) })
        } else {
            self.init(object: value)
        }
    }

    private init(object value: Any) {
        switch value {
        case let number as NSNumber:
            let (whole, real) = (number.intValue, number.doubleValue)
            self = Double(whole) == real ? .integer(whole) : .real(real)
        case let text as NSString:
            self = .text(text as String)
        case let list as NSArray:
            self = .list(list.map { PlainValue($0) })
        default:
            self = .other(String(describing: value))
        }
    }

    /// The value for an untyped dictionary.
    var value: Any {
        switch self {
        case .text(let text), .other(let text): text
        case .flag(let flag): flag
        case .integer(let number): number
        case .real(let number): number
        case .list(let list): list.map(\.value)
        }
    }

    /// The value for a header field. List elements are separated by commas.
    var fieldValue: String {
        switch self {
        case .text(let text), .other(let text): text
        case .flag(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .list(let list): list.map(\.fieldValue).joined(separator: ", ")
        }
    }

    /// Copies a dictionary. A key that isn't a string is replaced by its description.
    static func table(_ values: [AnyHashable: Any]) -> [String: PlainValue] {
        let pairs = values.map { (key($0.key), PlainValue($0.value)) }
        return Dictionary(pairs) { first, _ in first }
    }

    private static func key(_ key: AnyHashable) -> String {
        if case .text(let text) = PlainValue(key.base) { text } else { "\(key.base)" }
    }

    /// Restores an untyped dictionary.
    static func dictionary(_ table: [String: PlainValue]) -> [AnyHashable: Any] {
        Dictionary(uniqueKeysWithValues: table.map { (AnyHashable($0.key), $0.value.value) })
    }
}
