internal import Foundation

/// Creates the user info of the notification that a task has completed.
///
/// Hashing the keys of a dictionary costs more than all else that posts the notification. So there is
/// a dictionary for each set of keys, and its copies get the values of an outcome.
enum CompletionUserInfo {
    /// A value of the user info.
    private enum Item: Int, CaseIterable {
        case serializer, object, error, metrics, file, data

        var key: String {
            switch self {
            case .serializer: NetworkingTaskDidCompleteResponseSerializerKey
            case .object: NetworkingTaskDidCompleteSerializedResponseKey
            case .error: NetworkingTaskDidCompleteErrorKey
            case .metrics: NetworkingTaskDidCompleteSessionTaskMetrics
            case .file: NetworkingTaskDidCompleteAssetPathKey
            case .data: NetworkingTaskDidCompleteResponseDataKey
            }
        }

        /// The value of an outcome; `nil` if the outcome has none.
        func value(of outcome: TaskOutcome) -> Any? {
            switch self {
            case .serializer: outcome.serializer
            case .object: outcome.object
            case .error: outcome.error.map { NSError.castable($0) }
            case .metrics: outcome.metrics
            case .file: outcome.file
            case .data: outcome.data
            }
        }
    }

    // `@unchecked Sendable`: its one stored property is constant, and only `init(_:)` sets it. Each
    // key in it is a `String`, and each value an `Item`: the compiler proves both to be `Sendable`. A
    // dictionary is a value, and its copies don't change it. The compiler can't prove this, because
    // an `AnyHashable` may hold what isn't `Sendable`. Keys of another type would be hashed again for
    // each notification.
    /// A dictionary with hashed keys.
    private struct Template: @unchecked Sendable {
        let items: [AnyHashable: Item]

        init(_ items: [Item]) {
            self.items = Dictionary(uniqueKeysWithValues: items.map { ($0.key, $0) })
        }
    }

    /// The dictionaries by their items, a bit for each.
    private static let templates = (0..<1 << Item.allCases.count).map { bits in
        Template(Item.allCases.filter { bits >> $0.rawValue & 1 == 1 })
    }

    /// The user info for an outcome.
    static func of(_ outcome: TaskOutcome) -> [AnyHashable: Any] {
        var bits = 1 << Item.serializer.rawValue
        if outcome.object != nil { bits |= 1 << Item.object.rawValue }
        if outcome.error != nil { bits |= 1 << Item.error.rawValue }
        if outcome.metrics != nil { bits |= 1 << Item.metrics.rawValue }
        if outcome.file != nil {
            bits |= 1 << Item.file.rawValue
        } else if outcome.data != nil {
            bits |= 1 << Item.data.rawValue
        }
        return templates[bits].items.mapValues { $0.value(of: outcome) ?? () }
    }
}
