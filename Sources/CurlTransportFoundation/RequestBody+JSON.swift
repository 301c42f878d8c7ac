public import CurlTransport
public import FoundationEssentials

extension RequestBody {
    /// A value as JSON, with the media type `application/json`.
    ///
    /// - Parameter encoder: decides about the form of keys, dates and data.
    /// - Throws: the error of the encoder, such as an `EncodingError`.
    public static func json(
        _ value: some Encodable,
        encoder: JSONEncoder = JSONEncoder()
    ) throws -> RequestBody {
        var body = RequestBody.bytes([UInt8](try encoder.encode(value)))
        body.contentType = "application/json"
        return body
    }
}
