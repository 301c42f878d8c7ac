public import CurlURLSession

/// Encodes parameters into a request: as a query, or as a body with its `Content-Type`.
///
/// AFNetworking's `AFURLRequestSerialization`. A serializer is used from any thread, by several
/// requests at once.
public protocol URLRequestSerialization: Sendable {
    /// A copy of a request with parameters encoded into it.
    ///
    /// - Parameters:
    ///   - request: The request. It isn't changed.
    ///   - parameters: What is to be encoded, or `nil` for nothing. Which values are understood is
    ///     the serializer's to say.
    /// - Throws: An `NSError` that says which parameter can't be encoded, and why.
    func request(
        bySerializing request: URLRequest,
        withParameters parameters: Any?
    ) throws -> URLRequest
}
