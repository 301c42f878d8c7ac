public import CurlURLSession
public import Foundation
internal import Synchronization

// `@unchecked Sendable`: its only stored property is a constant lock, which the compiler proves to
// be `Sendable` together with the state that it protects, as in its superclass.
/// Decodes bodies as text, in the encoding of the response.
open class StringResponseSerializer: ValueResponseSerializer, @unchecked Sendable {
    private let chosen = Mutex<String.Encoding?>(nil)

    private enum CodingKeys: CodingKey {
        case encoding
    }

    /// Creates a serializer that uses the encoding of each response.
    public required init() {
        super.init()
    }

    /// Creates a serializer for one encoding.
    public convenience init(encoding: String.Encoding) {
        self.init()
        self.encoding = encoding
    }

    /// Creates a serializer from an archive.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let number = try values.decodeIfPresent(UInt.self, forKey: .encoding)
        encoding = number.map { String.Encoding(rawValue: $0) }
    }

    /// Archives the serializer's settings.
    ///
    /// - Throws: `EncodingError` if there is a `preprocessor` or a `validation`.
    open override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(encoding?.rawValue, forKey: .encoding)
    }

    /// The encoding of all bodies; `nil` by default.
    ///
    /// With `nil`, the charset of the response is used, otherwise ISO 8859-1, in which any bytes
    /// are text.
    public final var encoding: String.Encoding? {
        get { chosen.withLock { $0 } }
        set { chosen.withLock { $0 = newValue } }
    }

    /// The text; empty if the body is empty and may be.
    open func value(
        for request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?
    ) throws -> String {
        try requireValid(response, data: data)
        return try make(request, response, data)
    }

    /// Returns the text; `nil` with an error.
    open override func responseObject(
        for response: URLResponse?,
        data: Data?,
        error: inout (any Error)?
    ) -> (any Sendable)? {
        object(for: response, data: data, error: &error) { try make(nil, $0, $1) }
    }

    private func make(
        _ request: URLRequest?,
        _ response: HTTPURLResponse?,
        _ data: Data?
    ) throws -> String {
        guard let bytes = try body(of: response, to: request, data: data) else { return "" }
        let chosen = encoding
        let encoding = chosen ?? Self.encoding(of: response)
        guard let text = String(data: bytes, encoding: encoding) else {
            throw NSError.undecodableText(
                response,
                encoding: chosen?.description ?? response?.textEncodingName ?? encoding.description,
                data: bytes
            )
        }
        return text
    }

    private static func encoding(of response: HTTPURLResponse?) -> String.Encoding {
        response?.textEncodingName.flatMap { String.Encoding(ianaName: $0) } ?? .isoLatin1
    }

    /// Returns a serializer with the same settings.
    open override func copy() -> Self {
        let copy = super.copy()
        copy.encoding = encoding
        return copy
    }
}

extension StringResponseSerializer: ResponseValueSerialization {}
