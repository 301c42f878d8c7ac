internal import CurlTransport
internal import GatewayKit
internal import HTTPTypes

/// Sends each request, and each retry, to the next server of an upstream.
struct ServerRotation: HTTPMiddleware {
    let upstream: Upstream
    let circuits: OpenCircuits

    func intercept(
        _ request: HTTPRequest,
        body: RequestBody,
        context: RequestContext,
        next: any HTTPExchanging
    ) async throws(TransportError) -> HTTPClientResponse {
        var remaining = upstream.servers.count
        while true {
            remaining -= 1
            let server = upstream.nextServer()
            var request = request
            request.scheme = server.scheme
            request.authority = server.authority
            request.path = server.path + (request.path ?? "/")
            do throws(TransportError) {
                return try await next.send(request, body: body, context: context)
            } catch {
                // The breaker has sent nothing, so another server may get the request at once.
                guard error.code == .circuitOpen else { throw error }
                circuits.refuse(server.origin)
                guard remaining > 0 else { throw error }
            }
        }
    }
}
