internal import Foundation

/// What a ``JSONRequestSerializer`` has beside what every serializer has.
struct JSONRequestOptions: Sendable {
    var writingOptions: JSONSerialization.WritingOptions = []
    var makeEncoder: (@Sendable () -> JSONEncoder)?

    /// What was set, or one that writes with the same options.
    var encoder: JSONEncoder {
        if let makeEncoder { return makeEncoder() }
        let encoder = JSONEncoder()
        if writingOptions.contains(.prettyPrinted) {
            encoder.outputFormatting.insert(.prettyPrinted)
        }
        if writingOptions.contains(.sortedKeys) { encoder.outputFormatting.insert(.sortedKeys) }
        if writingOptions.contains(.withoutEscapingSlashes) {
            encoder.outputFormatting.insert(.withoutEscapingSlashes)
        }
        return encoder
    }
}

extension JSONRequestOptions: Codable {
    private enum CodingKeys: CodingKey {
        case writingOptions
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let options = try values.decode(UInt.self, forKey: .writingOptions)
        writingOptions = JSONSerialization.WritingOptions(rawValue: options)
    }

    func encode(to encoder: any Encoder) throws {
        guard makeEncoder == nil else {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(
                    codingPath: encoder.codingPath,
                    debugDescription: "What makes an encoder is a closure, which can't be written."
                )
            )
        }
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(writingOptions.rawValue, forKey: .writingOptions)
    }
}
