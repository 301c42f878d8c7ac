public import Foundation

/// Decodes values from bodies. Foundation's decoders for JSON and property lists do.
public protocol ResponseDecoder: Sendable {
    /// Decodes a value.
    ///
    /// - Throws: What is wrong with the data, usually a `DecodingError`.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: ResponseDecoder {}
extension PropertyListDecoder: ResponseDecoder {}
