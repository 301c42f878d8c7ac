import CurlTransport
import HTTPTypes
import TestSupport

/// Answers requests with a closure, and records them.
final class StubExchange: HTTPExchanging {
    typealias Answer =
        @Sendable (_ number: Int, _ request: HTTPRequest) async throws(TransportError) ->
        HTTPClientResponse

    private let calls = Watched<[HTTPRequest]>([])
    private let answer: Answer

    /// - Parameter answer: Gets the number of the request, from 0, and the request.
    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    /// Answers with these statuses, and with the last one from then on.
    convenience init(statuses: [Int], fields: HTTPFields = [:]) {
        self.init { number, request in
            let status = statuses[min(number, statuses.count - 1)]
            return .stub(status, to: request, fields: fields)
        }
    }

    var requests: [HTTPRequest] { calls.read { $0 } }
    var count: Int { requests.count }

    /// Waits until this many requests have arrived.
    func received(_ count: Int) async throws {
        try await calls.wait { $0.count >= count ? () : nil }
    }

    func send(
        _ request: HTTPRequest,
        body: RequestBody,
        context: RequestContext
    ) async throws(TransportError) -> HTTPClientResponse {
        let number = calls.update { calls in
            calls.append(request)
            return calls.count - 1
        }
        return try await answer(number, request)
    }
}

extension HTTPClientResponse {
    static func stub(
        _ status: Int,
        to request: HTTPRequest,
        fields: HTTPFields = [:],
        body: String = ""
    ) -> HTTPClientResponse {
        HTTPClientResponse(
            head: ResponseHead(status: HTTPResponse.Status(code: status), headerFields: fields),
            body: ResponseBody(Array(body.utf8)),
            request: request
        )
    }
}

extension HTTPMiddleware {
    /// Sends a request through this middleware.
    func send(
        _ request: HTTPRequest = .stub(),
        body: RequestBody = .none,
        context: RequestContext = RequestContext(),
        to next: any HTTPExchanging
    ) async throws(TransportError) -> HTTPClientResponse {
        try await intercept(request, body: body, context: context, next: next)
    }

    /// The error of a request through this middleware; nil if it is answered.
    func failure(
        _ request: HTTPRequest = .stub(),
        body: RequestBody = .none,
        context: RequestContext = RequestContext(),
        to next: any HTTPExchanging
    ) async -> TransportError? {
        do throws(TransportError) {
            _ = try await send(request, body: body, context: context, to: next)
            return nil
        } catch {
            return error
        }
    }
}

extension HTTPRequest {
    /// A request to a server that doesn't exist.
    static func stub(
        _ method: Method = .get,
        host: String = "api.example",
        path: String = "/"
    ) -> HTTPRequest {
        HTTPRequest(method: method, scheme: "https", authority: host, path: path)
    }
}

extension TransportError {
    /// A failure of a connection, after which any request may be sent again.
    static let refused = TransportError(.connectRefused, phase: .tcp, message: "refused")
    /// A failure after which the server may have acted on the request.
    static let lost = TransportError(.connectionLost, phase: .receiving, message: "lost")
}

extension RequestBody {
    /// A body that can be sent once.
    static let once = RequestBody.stream(AsyncStream<[UInt8]> { $0.finish() })
}

/// Waits until the gate is open, or throws if the task is cancelled.
func wait(for gate: Gate) async throws(TransportError) {
    do {
        try await gate.wait()
    } catch {
        throw TransportError(.cancelled, phase: .waiting, message: "cancelled")
    }
}
