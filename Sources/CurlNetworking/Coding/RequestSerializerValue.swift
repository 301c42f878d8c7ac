internal import Foundation

/// The encodable form of a request serializer, including its class.
///
/// It is a copy: later changes of the serializer aren't encoded.
struct RequestSerializerValue: Codable, Sendable {
    private enum Kind: String, Codable {
        case http, json, propertyList
    }

    private enum CodingKeys: CodingKey {
        case kind, serializer
    }

    private let kind: Kind
    private let kept: HTTPRequestSerializer

    var serializer: HTTPRequestSerializer { kept.copy() }

    /// - Throws: `EncodingError` for classes that aren't this package's.
    init(_ serializer: HTTPRequestSerializer) throws {
        let type = type(of: serializer)
        if type == HTTPRequestSerializer.self {
            kind = .http
        } else if type == JSONRequestSerializer.self {
            kind = .json
        } else if type == PropertyListRequestSerializer.self {
            kind = .propertyList
        } else {
            throw EncodingError.cannotWrite(serializer, "is a custom serializer class")
        }
        kept = serializer.copy()
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        kind = try values.decode(Kind.self, forKey: .kind)
        kept =
            switch kind {
            case .http:
                try values.decode(HTTPRequestSerializer.self, forKey: .serializer)
            case .json:
                try values.decode(JSONRequestSerializer.self, forKey: .serializer)
            case .propertyList:
                try values.decode(PropertyListRequestSerializer.self, forKey: .serializer)
            }
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(kind, forKey: .kind)
        try values.encode(kept, forKey: .serializer)
    }
}
