internal import CurlTransport
internal import CurlURLSession
internal import Foundation
internal import HTTPTypes

/// One load of a session that an exchanger answers.
struct StubLoad: Sendable {
    /// The maximum size of a request's body in bytes.
    private static let maximumBody = 64 << 20

    private let original: URLRequest
    private let url: URL
    private let message: HTTPRequest
    private let body: RequestBody
    private let exchanger: any HTTPExchanging
    private let client: any URLProtocolClient

    /// Converts a session's request. This reads its body, and may block.
    init(
        _ request: URLRequest,
        _ url: URL,
        _ exchanger: any HTTPExchanging,
        _ client: any URLProtocolClient
    ) throws {
        original = request
        self.url = url
        message = try Self.message(request, url)
        body = try Self.body(of: request)
        self.exchanger = exchanger
        self.client = client
    }

    /// Starts the load, which reports to the client until it ends or is cancelled.
    func start() -> Task<Void, Never> {
        Task { await run() }
    }

    private func run() async {
        // Clients ignore this argument, and the loading object isn't `Sendable`.
        let sender = URLProtocol(request: original, cachedResponse: nil, client: nil)
        do throws(TransportError) {
            let response = try await exchanger.send(message, body: body, context: RequestContext())
            client.urlProtocol(
                sender,
                didReceive: HTTPURLResponse(url: url, head: response.head),
                cacheStoragePolicy: .notAllowed
            )
            var chunks = response.body.makeAsyncIterator()
            while let chunk = try await chunks.next() {
                client.urlProtocol(sender, didLoad: Data(chunk))
            }
            client.urlProtocolDidFinishLoading(sender)
        } catch {
            client.urlProtocol(sender, didFailWithError: URLError(error, url: url))
        }
    }

    /// The request in the form of the exchanger.
    private static func message(
        _ request: URLRequest,
        _ url: URL
    ) throws -> HTTPRequest {
        let name = request.httpMethod ?? "GET"
        guard let method = HTTPRequest.Method(name) else {
            throw TransportError(.invalidRequest, message: "the method \(name) isn't a token.")
        }
        var message = try HTTPRequest(method: method, url: url.absoluteString)
        for (name, value) in request.allHTTPHeaderFields ?? [:]
        where name.lowercased() != StubRegistry.fieldName.lowercased() {
            message.headerFields.append(try HTTPField(validating: name, value: value))
        }
        return message
    }

    private static func body(of request: URLRequest) throws -> RequestBody {
        if let data = request.httpBody { return .bytes(Array(data)) }
        guard let stream = request.httpBodyStream else { return .none }
        return .bytes(try content(of: stream))
    }

    /// Reads a stream on this thread, which a protocol may block.
    private static func content(of stream: InputStream) throws -> [UInt8] {
        stream.open()
        defer { stream.close() }
        var content: [UInt8] = []
        while true {
            let bytes = try stream.readBytes(upTo: 1 << 16)
            if bytes.isEmpty { return content }
            content += bytes
            guard content.count <= maximumBody else {
                throw TransportError(
                    .requestBodyFailed,
                    message: "the body has more than \(maximumBody) bytes, the limit of a stub."
                )
            }
        }
    }
}
