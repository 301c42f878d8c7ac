public import CurlTransport
internal import HTTPSemantics
public import HTTPTypes

/// Adds an access token to requests, and refreshes it when the server refuses it.
///
/// ```swift
/// let tokens = TokenSource { expired in
///     AccessToken(try await logIn())
/// }
/// let authentication = try AuthenticationMiddleware(
///     tokens,
///     origins: ["https://api.example"]
/// )
/// let client = try HTTPClient(middleware: [authentication])
/// ```
///
/// If a response has the status 401, the token is refreshed, once for all requests that were
/// refused with it, and the request is sent again once, whatever its method is: the server hasn't
/// acted on it. A second 401 is returned. If the body isn't `RequestBody.isReplayable`, the 401
/// is returned, and the next request refreshes the token.
///
/// Requests to other origins, and those that have the field already, are sent unchanged. So are
/// requests of the refresh itself, which may have the token of another source. A redirect to another origin doesn't carry the token there.
public struct AuthenticationMiddleware: HTTPMiddleware {
    private let tokens: TokenSource
    private let origins: Set<String>
    private let field: HTTPField.Name
    private let scheme: String?
    /// Nil if the client itself drops the field, because its name tells that it has credentials.
    private let removal: TokenRemoval?

    /// Creates a middleware.
    ///
    /// - Parameters:
    ///   - tokens: The source of the token.
    ///   - origins: The servers that get the token, such as `https://api.example`.
    ///   - field: The field of the token. Default: `Authorization`.
    ///   - scheme: The word before the token; nil for none. Default: `Bearer` (RFC 6750).
    /// - Throws: `TransportError.Code.invalidURL` or `TransportError.Code.unsupportedURL` if an
    ///   origin isn't one.
    public init(
        _ tokens: TokenSource,
        origins: [String],
        field: HTTPField.Name = .authorization,
        scheme: String? = "Bearer"
    ) throws(TransportError) {
        var names: Set<String> = []
        for origin in origins { names.insert(try HTTPRequest(url: origin).origin) }
        self.origins = names
        self.tokens = tokens
        self.field = field
        self.scheme = scheme
        let isDropped = SensitiveFields.contain(field.canonicalName)
        removal = isDropped ? nil : TokenRemoval(field: field)
    }

    /// Sends the request with a token, and once more if the token is refused.
    public func intercept(
        _ request: HTTPRequest,
        body: RequestBody,
        context: RequestContext,
        next: any HTTPExchanging
    ) async throws(TransportError) -> HTTPClientResponse {
        guard !tokens.isRefreshing, !request.headerFields.contains(field),
            origins.contains(request.origin)
        else { return try await next.send(request, body: body, context: context) }
        var context = context
        if let removal { context.observers.append(removal) }
        let token = try await tokens.token(deadline: context.deadline)
        let response = try await next.send(
            adding(token, to: request),
            body: body,
            context: context
        )
        guard response.statusCode == 401 else { return response }
        guard body.isReplayable else {
            tokens.refuse(token)
            return response
        }
        await response.drain()
        let fresh = try await tokens.token(replacing: token, deadline: context.deadline)
        return try await next.send(adding(fresh, to: request), body: body, context: context)
    }

    private func adding(_ token: AccessToken, to request: HTTPRequest) -> HTTPRequest {
        var request = request
        request.headerFields[field] = scheme.map { "\($0) \(token.value)" } ?? token.value
        return request
    }
}

/// Removes the token from requests that a redirect leads to another origin.
private struct TokenRemoval: TransferObserver {
    let field: HTTPField.Name

    func transfer(
        _ id: TransferID,
        willFollow redirect: Redirect,
        with request: inout HTTPRequest
    ) {
        if redirect.dropsCredentials { request.headerFields[field] = nil }
    }

    func transferDidEnd(_ end: TransferEnd) {}
}
