internal import Foundation

/// The options that a ``PropertyListRequestSerializer`` adds to ``HTTPRequestSerializer``.
struct PropertyListRequestOptions: Sendable {
    var format = PropertyListSerialization.PropertyListFormat.xml
    var writeOptions: PropertyListSerialization.WriteOptions = 0
}

extension PropertyListRequestOptions: Codable {
    private enum CodingKeys: CodingKey {
        case format, writeOptions
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let number = try values.decode(UInt.self, forKey: .format)
        guard let format = PropertyListSerialization.PropertyListFormat(rawValue: number) else {
            throw DecodingError.dataCorruptedError(
                forKey: .format,
                in: values,
                debugDescription: "\(number) isn't a property list format."
            )
        }
        self.format = format
        writeOptions = try values.decode(
            PropertyListSerialization.WriteOptions.self,
            forKey: .writeOptions
        )
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(format.rawValue, forKey: .format)
        try values.encode(writeOptions, forKey: .writeOptions)
    }
}
