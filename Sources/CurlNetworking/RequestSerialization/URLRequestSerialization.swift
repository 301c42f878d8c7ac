public import CurlURLSession

/// Encodes parameters into a request: as a query, or as a body with its `Content-Type`.
///
/// It is AFNetworking's `AFURLRequestSerialization`. A serializer is used from any thread, by
/// several requests at once.
public protocol URLRequestSerialization: Sendable {
    /// Copies a request and encodes parameters into the copy.
    ///
    /// - Parameters:
    ///   - request: The request. It isn't changed.
    ///   - parameters: The parameters to encode, or `nil` for none. Each serializer defines which
    ///     values it supports.
    /// - Throws: An `NSError` that names the parameter which can't be encoded, and the reason.
    func request(
        bySerializing request: URLRequest,
        withParameters parameters: Any?
    ) throws -> URLRequest
}
