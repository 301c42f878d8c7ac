internal import Hummingbird
internal import Synchronization

/// Counts the requests that the gateway has taken, and those whose responses it has written whole.
package final class RequestCount: Sendable {
    private let taken = Atomic(0)
    private let completed = Atomic(0)

    package init() {}

    /// The line that a gateway prints at its end.
    package var line: String {
        "taken \(taken.load(ordering: .relaxed)), completed \(completed.load(ordering: .relaxed))"
    }

    func begin() { taken.add(1, ordering: .relaxed) }
    func complete() { completed.add(1, ordering: .relaxed) }
}

struct CountingMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    let count: RequestCount

    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        count.begin()
        var response = try await next(request, context)
        let body = response.body
        response.body = ResponseBody(contentLength: body.contentLength) { [count] writer in
            try await body.write(writer)
            count.complete()
        }
        return response
    }
}
