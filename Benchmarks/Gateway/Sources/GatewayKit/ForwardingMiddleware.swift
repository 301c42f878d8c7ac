internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import ServiceLifecycle

/// What the gateway knows about a request besides its message.
struct GatewayContext: RequestContext, RemoteAddressRequestContext {
    var coreContext: CoreRequestContextStorage
    let remoteAddress: SocketAddress?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress
    }
}

/// Forwards the requests whose path begins with the name of an upstream.
struct ForwardingMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    let upstreams: [String: Upstream]
    let timeout: Duration
    let client: any Forwarding

    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let target = request.head.path ?? "/"
        let name = target.dropFirst().prefix { $0 != "/" && $0 != "?" }
        guard let upstream = upstreams[String(name)] else {
            do {
                return closing(try await next(request, context))
            } catch let error as HTTPError where error.status == .notFound {
                let message = "there is no upstream \"\(name)\""
                return closing(GatewayFailure(404, "unknownUpstream", message: message).response)
            }
        }
        let rest = target.dropFirst(1 + name.count)
        let path = rest.hasPrefix("/") ? String(rest) : "/\(rest)"
        let upload = Self.upload(of: request)
        do throws(GatewayFailure) {
            try Self.check(path, upstream)
            let forwarded = ForwardedRequest(
                method: request.method,
                path: path,
                fields: Self.fields(of: request, context),
                body: upload,
                deadline: .now.advanced(by: timeout)
            )
            let response = try await client.forward(forwarded, to: upstream)
            return closing(Self.response(response, to: request, upload))
        } catch {
            // The client may wait for a response before it sends the rest.
            let response = closing(error.response, after: upload)
            await upload?.cancel()
            return response
        }
    }

    /// A path that climbs out of the upstream's own isn't forwarded.
    private static func check(_ path: String, _ upstream: Upstream) throws(GatewayFailure) {
        for segment in path.prefix(while: { $0 != "?" }).split(separator: "/") {
            let name = segment.lowercased().replacing("%2e", with: ".")
            guard name != ".", name != ".." else {
                throw GatewayFailure(
                    400,
                    "invalidPath",
                    upstream: upstream.name,
                    message: "the path has the segment \(segment), which isn't forwarded"
                )
            }
        }
    }

    private static func fields(of request: Request, _ context: Context) -> HTTPFields {
        var fields = request.headers.endToEnd
        // The client sets it from the length of the content.
        fields[.contentLength] = nil
        fields.appendVia(version: "1.1")
        fields.appendForwarded(
            for: context.remoteAddress?.ipAddress,
            host: request.head.authority
        )
        return fields
    }

    /// The content; nil if the request has none.
    private static func upload(of request: Request) -> UploadBody? {
        let length = request.headers[.contentLength].flatMap { Int64($0) }
        guard length ?? 0 > 0 || request.headers.contains(.transferEncoding) else { return nil }
        return UploadBody(request.body, length: length)
    }

    private static func response(
        _ forwarded: ForwardedResponse,
        to request: Request,
        _ upload: UploadBody?
    ) -> Response {
        var fields = forwarded.fields.endToEnd
        let length = fields[.contentLength].flatMap { Int($0) }
        // Without it, hummingbird would frame the missing content as chunks.
        if request.method == .head, length == nil { fields[.contentLength] = "0" }
        let body = ResponseBody(contentLength: length) { writer in
            do {
                let trailers = try await forwarded.read { try await writer.write($0) }
                await upload?.stop()
                try await writer.finish(trailers)
            } catch {
                // Without an end, hummingbird closes the connection, and the client notices.
                await upload?.stop()
                throw error
            }
        }
        return Response(status: forwarded.status, headers: fields, body: body)
    }

    /// During the shutdown, hummingbird closes each connection after its response, and at any time
    /// if the reading of the content was cancelled. The client must know (RFC 9112, section 9.6).
    private func closing(_ response: Response, after upload: UploadBody? = nil) -> Response {
        guard Task.isShuttingDownGracefully || upload?.isUnfinished == true else { return response }
        var response = response
        response.headers[.connection] = "close"
        return response
    }
}
