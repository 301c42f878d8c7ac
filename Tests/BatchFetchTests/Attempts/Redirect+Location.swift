import CurlTransport
import HTTPTypes
import TestSupport

@testable import BatchFetch

extension Redirect {
    /// The redirect of a response to `target` with a `Location`.
    init(from target: FetchTarget, status: Int = 302, to location: String) throws {
        let details = target.details?.request
        let request = try HTTPRequest(
            method: details?.method ?? .get,
            url: target.url,
            headerFields: details?.headerFields ?? [:]
        )
        let outcome = RedirectRule.decide(
            statusCode: status,
            location: Array(location.utf8),
            request: request,
            count: 0,
            policy: .follow()
        )
        guard case .follow(let redirect) = outcome else { throw SupportError("\(outcome)") }
        self = redirect
    }
}
