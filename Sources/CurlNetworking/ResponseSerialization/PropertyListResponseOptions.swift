public import Foundation

/// How a property list in a body is parsed.
public struct PropertyListResponseOptions: Sendable, Hashable, Codable {
    /// The format, which is stored but has no effect.
    ///
    /// The format is detected from the body.
    public var format: PropertyListSerialization.PropertyListFormat

    /// The options of `PropertyListSerialization`; none by default.
    ///
    /// They have no effect: all of them are about mutable containers and leaves.
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

    /// Decodes options that ``encode(to:)`` has written. An unknown format is an error.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let number = try values.decode(UInt.self, forKey: .format)
        guard let format = PropertyListSerialization.PropertyListFormat(rawValue: number) else {
            throw DecodingError.dataCorruptedError(
                forKey: .format,
                in: values,
                debugDescription: "\(number) isn't a property list format"
            )
        }
        self.format = format
        readOptions = PropertyListSerialization.ReadOptions(
            rawValue: try values.decode(UInt.self, forKey: .readOptions)
        )
    }

    /// Encodes the format and options as numbers.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(format.rawValue, forKey: .format)
        try values.encode(readOptions.rawValue, forKey: .readOptions)
    }

    /// Whether all options are equal.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.format == rhs.format && lhs.readOptions.rawValue == rhs.readOptions.rawValue
    }

    /// Hashes all options.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(format.rawValue)
        hasher.combine(readOptions.rawValue)
    }
}
