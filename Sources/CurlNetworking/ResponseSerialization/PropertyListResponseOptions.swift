public import Foundation

/// How a property list in a body is read.
public struct PropertyListResponseOptions: Sendable, Hashable, Codable {
    /// The format, which is stored and makes no difference: a body says itself what it is.
    public var format: PropertyListSerialization.PropertyListFormat

    /// The options of `PropertyListSerialization`; none by default. Those for mutable parts, which are
    /// all there are, make no difference.
    public var readOptions: PropertyListSerialization.ReadOptions

    /// Creates options.
    public init(
        format: PropertyListSerialization.PropertyListFormat = .xml,
        readOptions: PropertyListSerialization.ReadOptions = []
    ) {
        self.format = format
        self.readOptions = readOptions
    }

    private enum CodingKeys: CodingKey {
        case format
        case readOptions
    }

    /// Reads options as ``encode(to:)`` writes them. An unknown format is an error.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let number = try values.decode(UInt.self, forKey: .format)
        guard let format = PropertyListSerialization.PropertyListFormat(rawValue: number) else {
            throw DecodingError.dataCorruptedError(
                forKey: .format,
                in: values,
                debugDescription: "There is no format of property lists with the number \(number)"
            )
        }
        self.format = format
        readOptions = PropertyListSerialization.ReadOptions(
            rawValue: try values.decode(UInt.self, forKey: .readOptions)
        )
    }

    /// Writes format and options as numbers.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(format.rawValue, forKey: .format)
        try values.encode(readOptions.rawValue, forKey: .readOptions)
    }

    /// Whether all is the same.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.format == rhs.format && lhs.readOptions.rawValue == rhs.readOptions.rawValue
    }

    /// Equal for equal options.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(format.rawValue)
        hasher.combine(readOptions.rawValue)
    }
}
