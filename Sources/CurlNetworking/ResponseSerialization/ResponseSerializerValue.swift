internal import CurlURLSession
internal import Foundation

/// The encodable form of a response serializer.
indirect enum ResponseSerializerValue: Codable, Sendable, Hashable {
    case http(ResponseAcceptance)
    case json(ResponseAcceptance, JSONResponseOptions)
    case propertyList(ResponseAcceptance, PropertyListResponseOptions)
    case image(ResponseAcceptance)
    case compound(ResponseAcceptance, [ResponseSerializerValue])

    /// - Throws: `EncodingError` for other classes, and for a serializer with a validation closure.
    init(_ serializer: any URLResponseSerialization) throws {
        guard let base = serializer as? HTTPResponseSerializer else {
            throw EncodingError.cannotWrite(serializer, "is a custom serializer class")
        }
        guard base.validation == nil else {
            throw EncodingError.cannotWrite(base, "has a validation, which is a closure")
        }
        let acceptance = base.acceptance
        switch base {
        case let json as JSONResponseSerializer where type(of: base) == JSONResponseSerializer.self:
            self = .json(acceptance, json.options)
        case let list as PropertyListResponseSerializer
        where type(of: base) == PropertyListResponseSerializer.self:
            self = .propertyList(acceptance, list.options)
        case let compound as CompoundResponseSerializer
        where type(of: base) == CompoundResponseSerializer.self:
            let parts = try compound.responseSerializers.map { try ResponseSerializerValue($0) }
            self = .compound(acceptance, parts)
        case _ where type(of: base) == ImageResponseSerializer.self:
            self = .image(acceptance)
        case _ where type(of: base) == HTTPResponseSerializer.self:
            self = .http(acceptance)
        default:
            throw EncodingError.cannotWrite(base, "is a custom serializer class")
        }
    }

    /// A new serializer with these values.
    var serializer: HTTPResponseSerializer {
        let (made, acceptance): (HTTPResponseSerializer, ResponseAcceptance)
        switch self {
        case .http(let kept):
            (made, acceptance) = (HTTPResponseSerializer(), kept)
        case .json(let kept, let options):
            let json = JSONResponseSerializer()
            json.options = options
            (made, acceptance) = (json, kept)
        case .propertyList(let kept, let options):
            let list = PropertyListResponseSerializer()
            list.options = options
            (made, acceptance) = (list, kept)
        case .image(let kept):
            (made, acceptance) = (ImageResponseSerializer(), kept)
        case .compound(let kept, let parts):
            let serializers = parts.map(\.serializer)
            let compound = CompoundResponseSerializer(responseSerializers: serializers)
            (made, acceptance) = (compound, kept)
        }
        made.acceptance = acceptance
        return made
    }
}

extension EncodingError {
    /// An error for a value that can't be encoded, with the reason.
    static func cannotWrite(_ value: Any, _ reason: String) -> EncodingError {
        .invalidValue(
            value,
            Context(codingPath: [], debugDescription: "\(type(of: value)) \(reason).")
        )
    }
}
