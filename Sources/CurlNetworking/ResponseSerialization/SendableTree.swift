internal import Foundation

/// Conversion of Foundation's JSON and property list trees to `Sendable` types.
///
/// `JSONSerialization` and `PropertyListSerialization` return `Any`. Without options for mutable
/// containers, they build trees of `Dictionary`, `Array`, `String`, `Data` and `Date`, which are
/// values, and of `NSNumber`, `Bool` and `NSNull`, which are immutable. There are no other
/// references to a tree. So each part is `Sendable`, and the cast to `[String: any Sendable]`
/// states this for the compiler. `Sendable` doesn't exist at run time, so the type is the same as
/// `[String: Any]` and the cast copies nothing.
enum SendableTree {
    /// Converts a JSON tree that was parsed without ``JSONSerialization/ReadingOptions`` for
    /// mutable containers.
    static func json(_ object: Any) -> (any Sendable)? {
        switch object {
        case let dictionary as [String: any Sendable]: dictionary
        case let array as [any Sendable]: array
        default: leaf(object)
        }
    }

    /// Converts a property list.
    ///
    /// Its dictionaries have another key type and are rebuilt.
    static func propertyList(_ object: Any) -> (any Sendable)? {
        switch object {
        case let dictionary as [AnyHashable: Any]:
            var tree: [String: any Sendable] = [:]
            for (key, value) in dictionary {
                guard let key = key.base as? String, let value = propertyList(value) else {
                    continue
                }
                tree[key] = value
            }
            return tree
        case let array as [Any]:
            return array.compactMap { propertyList($0) }
        default:
            return leaf(object)
        }
    }

    private static func leaf(_ object: Any) -> (any Sendable)? {
        switch object {
        case let text as String: text
        case let flag as Bool where type(of: object) == Bool.self: flag
        case let number as NSNumber: number
        case let null as NSNull: null
        case let data as Data: data
        case let date as Date: date
        default: nil
        }
    }
}
