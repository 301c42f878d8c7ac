// snippet: GeneratedClients/transport
import CurlTransport
import Foundation
import HTTPTypes

/// Sends the requests of clients that swift-openapi-generator has generated.
struct OpenAPITransport: ClientTransport {
    let client: any HTTPExchanging

    func send(
        _ request: HTTPRequest,
        body: HTTPBody?,
        baseURL: URL,
        operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?) {
        var base = baseURL.absoluteString
        while base.hasSuffix("/") { base.removeLast() }
        let sent = try HTTPRequest(
            method: request.method,
            url: base + (request.path ?? "/"),
            headerFields: request.headerFields
        )
        let context = RequestContext(name: "\(request.method) \(operationID)")
        let response = try await client.send(sent, body: RequestBody(body), context: context)
        let hasNoBody = request.method == .head
        return (response.head.httpResponse, hasNoBody ? nil : HTTPBody(response))
    }
}

extension RequestBody {
    /// The content of a generated request. If it can be iterated again, it can be sent again.
    fileprivate init(_ body: HTTPBody?) {
        guard let body else {
            self = .none
            return
        }
        let length: Int64? = if case .known(let length) = body.length { length } else { nil }
        let chunks = body.map { [UInt8]($0) }
        self =
            switch body.iterationBehavior {
            case .multiple: .stream(length: length, restartable: { chunks })
            case .single: .stream(length: length, chunks)
            }
    }
}

extension HTTPBody {
    /// The content of a response. It is read at the pace of its reader, once.
    fileprivate convenience init(_ response: HTTPClientResponse) {
        // The length of a compressed content isn't known before its end.
        let isEncoded = response.head.firstValue(of: .contentEncoding) != nil
        let length = isEncoded ? nil : response.head.contentLength
        self.init(
            response.body.map { $0[...] },
            length: length.map { .known($0) } ?? .unknown,
            iterationBehavior: .single
        )
    }
}
// end
