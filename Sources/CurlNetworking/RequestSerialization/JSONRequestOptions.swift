internal import Foundation

/// The options that a ``JSONRequestSerializer`` adds to ``HTTPRequestSerializer``.
struct JSONRequestOptions: Sendable {
    var writingOptions: JSONSerialization.WritingOptions = []
    var makeEncoder: (@Sendable () -> JSONEncoder)?

    /// The custom encoder, or a default one with the same writing options.
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
                    debugDescription: "The encoder is made by a closure, which can't be encoded."
                )
            )
        }
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(writingOptions.rawValue, forKey: .writingOptions)
    }
}
