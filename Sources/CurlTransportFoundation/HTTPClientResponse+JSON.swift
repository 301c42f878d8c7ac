public import CurlTransport
public import FoundationEssentials

extension HTTPClientResponse {
    /// Reads the whole content and decodes it as JSON.
    ///
    /// The content is decoded whatever the status and the media type are; check
    /// `CurlTransport.HTTPClientResponse.status` before. It must be UTF-8, UTF-16 or UTF-32, which
    /// its first bytes tell.
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - decoder: decides about the form of keys, dates and data.
    ///   - limit: the maximum size in bytes, decompressed. The transfer is cancelled beyond it.
    ///     Default: 16 MiB.
    /// - Throws: a `TransportError`, with the code `responseTooLarge` beyond the limit, or the error
    ///   of the decoder, such as a `DecodingError`.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        decoder: JSONDecoder = JSONDecoder(),
        maximumBytes limit: Int = 16 << 20
    ) async throws -> Value {
        let bytes = try await body.collect(upTo: limit)
        return try decoder.decode(type, from: Data(bytes))
    }
}
