public import HTTPTypes

extension HTTPRequest {
    /// The request with a body's media type as its `Content-Type`, unless it has one.
    ///
    /// ``HTTPClient``, ``MiddlewareChain`` and ``Transport`` do this themselves. Use it in your own
    /// implementation of ``HTTPExchanging``, or before you sign a request.
    public func describing(_ body: RequestBody) -> HTTPRequest {
        guard let type = body.contentType, !headerFields.contains(.contentType) else { return self }
        var request = self
        request.headerFields[.contentType] = type
        return request
    }
}
