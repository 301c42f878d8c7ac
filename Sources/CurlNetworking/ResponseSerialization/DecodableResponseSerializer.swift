public import CurlURLSession
public import Foundation
internal import Synchronization

// `@unchecked Sendable`: its only stored property is a constant lock, which the compiler proves to
// be `Sendable` together with the state that it protects, as in its superclass.
/// Decodes bodies into values of a type, by default from JSON.
///
/// Any media type is acceptable, unless ``HTTPResponseSerializer/acceptableContentTypes`` is set.
/// An allowed empty body is decoded as ``EmptyResponse/emptyValue``, if the type has one, as
/// optionals do; otherwise it is an error.
open class DecodableResponseSerializer<Value>: ValueResponseSerializer, @unchecked Sendable
where Value: Decodable & Sendable {
    private let chosen = Mutex<any ResponseDecoder>(JSONDecoder())

    /// Creates a serializer that decodes JSON.
    public required init() {
        super.init()
    }

    /// Creates a serializer.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder. Don't change it afterwards: it is used from any thread.
    public convenience init(
        of type: Value.Type = Value.self,
        decoder: any ResponseDecoder = JSONDecoder()
    ) {
        self.init()
        self.decoder = decoder
    }

    /// Creates a serializer from an archive, which decodes JSON.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
    }

    /// Throws an error: the decoder can't be archived.
    open override func encode(to encoder: any Encoder) throws {
        throw EncodingError.cannotWrite(self, "has a decoder, which can't be encoded")
    }

    /// The decoder; for JSON by default.
    public final var decoder: any ResponseDecoder {
        get { chosen.withLock { $0 } }
        set { chosen.withLock { $0 = newValue } }
    }

    /// Decodes the value.
    open func value(
        for request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?
    ) throws -> Value {
        try requireValid(response, data: data)
        return try make(request, response, data)
    }

    /// Returns the decoded value; `nil` with an error.
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
    ) throws -> Value {
        if let bytes = try body(of: response, to: request, data: data) {
            return try decoder.decode(Value.self, from: bytes)
        }
        guard let type = Value.self as? any EmptyResponse.Type,
            let empty = type.emptyValue as? Value
        else { throw NSError.missingBody(response) }
        return empty
    }

    /// Returns a serializer with the same settings and the same decoder.
    open override func copy() -> Self {
        let copy = super.copy()
        copy.decoder = decoder
        return copy
    }
}

extension DecodableResponseSerializer: ResponseValueSerialization {}

/// Decodes values from bodies, as Foundation's JSON and property list decoders do.
public protocol ResponseDecoder: Sendable {
    /// Decodes a value.
    ///
    /// - Throws: An error in the data, usually a `DecodingError`.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: ResponseDecoder {}
extension PropertyListDecoder: ResponseDecoder {}

/// A type with a value for empty bodies.
public protocol EmptyResponse {
    /// The value of an empty body.
    static var emptyValue: Self { get }
}

/// The value of a response that never has a body: `DecodableResponseSerializer<Empty>`.
public struct Empty: EmptyResponse, Codable, Sendable, Hashable {
    /// Creates the value.
    public init() {}
    /// The only value.
    public static var emptyValue: Empty { Empty() }
}

extension Optional: EmptyResponse {
    /// `nil`.
    public static var emptyValue: Wrapped? { nil }
}
