public import Foundation

/// Returns a JSON tree without `NSNull`.
///
/// Dictionary entries and array elements that are `NSNull` are removed at any depth.
///
/// - Parameters:
///   - object: A dictionary or an array. Any other object is returned unchanged.
///   - options: The options with which the tree was parsed. `mutableContainers` has no effect: in
///     Swift, a collection in a variable is always mutable.
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

/// Removes `NSNull` from collections.
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
