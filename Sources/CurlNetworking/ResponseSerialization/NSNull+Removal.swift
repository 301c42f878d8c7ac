public import Foundation

/// A tree of JSON without `NSNull`: entries of dictionaries and elements of arrays that are `NSNull`
/// are left out, at any depth.
///
/// - Parameters:
///   - object: A dictionary or an array. Anything else is returned as it is.
///   - options: What the tree was read with. In Swift every collection can be changed once it is in a
///     variable, so that `mutableContainers` makes no difference.
public func JSONObjectByRemovingKeysWithNullValues(
    _ object: Any,
    options: JSONSerialization.ReadingOptions = []
) -> Any {
    switch object {
    case let dictionary as [String: Any]: NullRemoval.clean(dictionary)
    case let array as [Any]: NullRemoval.clean(array)
    default: object
    }
}

/// The removal of `NSNull` from collections.
enum NullRemoval {
    static func clean(_ dictionary: [String: Any]) -> [String: Any] {
        dictionary.compactMapValues { value in
            value is NSNull ? nil : JSONObjectByRemovingKeysWithNullValues(value)
        }
    }

    static func clean(_ array: [Any]) -> [Any] {
        array.compactMap { value in
            value is NSNull ? nil : JSONObjectByRemovingKeysWithNullValues(value)
        }
    }
}
