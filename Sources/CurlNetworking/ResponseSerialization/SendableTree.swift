internal import Foundation

/// Trees of objects that Foundation reads from data, made to be `Sendable`.
///
/// What `JSONSerialization` and `PropertyListSerialization` return is typed `Any`. Asked for nothing
/// mutable, they build it of `Dictionary`, `Array`, `String`, `Data` and `Date`, which are values, and of
/// `NSNumber`, `Bool` and `NSNull`, which never change; and nobody else has a reference to any of it. So
/// each part is `Sendable`, and a cast to `[String: any Sendable]` says so to the compiler: at run time
/// that is the type `[String: Any]`, as `Sendable` has no trace there, and the cast copies nothing.
enum SendableTree {
    /// A tree of JSON, that was read without ``JSONSerialization/ReadingOptions`` for mutable parts.
    static func json(_ object: Any) -> (any Sendable)? {
        switch object {
        case let dictionary as [String: any Sendable]: dictionary
        case let array as [any Sendable]: array
        default: leaf(object)
        }
    }

    /// A property list. Its dictionaries come with keys of another type, and are made anew.
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
