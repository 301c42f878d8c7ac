public import Foundation

/// How JSON in a body is parsed.
public struct JSONResponseOptions: Sendable, Hashable, Codable {
    /// The options of `JSONSerialization`; none by default.
    ///
    /// Without options, the outermost value must be an object or array. Options for mutable
    /// containers and leaves have no effect.
    public var readingOptions: JSONSerialization.ReadingOptions

    /// Whether `null` in objects and arrays is removed; `false` by default.
    public var removesKeysWithNullValues: Bool

    /// Creates options.
    public init(
        readingOptions: JSONSerialization.ReadingOptions = [],
        removesKeysWithNullValues: Bool = false
    ) {
        self.readingOptions = readingOptions
        self.removesKeysWithNullValues = removesKeysWithNullValues
    }

    private enum CodingKeys: CodingKey {
        case readingOptions
        case removesKeysWithNullValues
    }

    /// Decodes options that ``encode(to:)`` has written.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        readingOptions = JSONSerialization.ReadingOptions(
            rawValue: try values.decode(UInt.self, forKey: .readingOptions)
        )
        removesKeysWithNullValues = try values.decode(Bool.self, forKey: .removesKeysWithNullValues)
    }

    /// Encodes the reading options as a number.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(readingOptions.rawValue, forKey: .readingOptions)
        try values.encode(removesKeysWithNullValues, forKey: .removesKeysWithNullValues)
    }

    /// Whether all options are equal.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.readingOptions.rawValue == rhs.readingOptions.rawValue
            && lhs.removesKeysWithNullValues == rhs.removesKeysWithNullValues
    }

    /// Hashes all options.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(readingOptions.rawValue)
        hasher.combine(removesKeysWithNullValues)
    }
}
