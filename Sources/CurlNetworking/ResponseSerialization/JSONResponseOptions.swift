public import Foundation

/// How JSON in a body is read.
public struct JSONResponseOptions: Sendable, Hashable, Codable {
    /// The options of `JSONSerialization`; none by default, so that the outermost value has to be an
    /// object or an array. Those for mutable parts make no difference.
    public var readingOptions: JSONSerialization.ReadingOptions

    /// Whether what is `null` in objects and arrays is left out; `false` by default.
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

    /// Reads options as ``encode(to:)`` writes them.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        readingOptions = JSONSerialization.ReadingOptions(
            rawValue: try values.decode(UInt.self, forKey: .readingOptions)
        )
        removesKeysWithNullValues = try values.decode(Bool.self, forKey: .removesKeysWithNullValues)
    }

    /// Writes the reading options as a number.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(readingOptions.rawValue, forKey: .readingOptions)
        try values.encode(removesKeysWithNullValues, forKey: .removesKeysWithNullValues)
    }

    /// Whether all is the same.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.readingOptions.rawValue == rhs.readingOptions.rawValue
            && lhs.removesKeysWithNullValues == rhs.removesKeysWithNullValues
    }

    /// Equal for equal options.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(readingOptions.rawValue)
        hasher.combine(removesKeysWithNullValues)
    }
}
