internal import CurlNetworking
internal import CurlTransportTesting
internal import CurlURLSessionTesting
internal import Foundation
internal import HTTPTypes

/// What the page of `CurlURLSessionTesting`, and its documentation comments, show.
enum URLSessionTestingPage {
    static func session(_ url: URL) async throws -> (Data, URLResponse) {
        // snippet: CurlURLSessionTesting/session
        let stub = StubClient().on(.get, "/users", reply: .json(#"[{"name": "Ada"}]"#))
        let configuration = URLSessionConfiguration.ephemeral
        configuration.answerRequests(with: stub)
        let session = URLSession(configuration: configuration)
        let (data, response) = try await session.data(from: url)
        // end
        session.finishTasksAndInvalidate()
        return (data, response)
    }

    static func manager() -> HTTPSessionManager {
        // snippet: URLSessionConfiguration+Stub.swift/manager
        let stub = StubClient().on(.get, "/users", reply: .json(#"[{"name": "Ada"}]"#))
        let configuration = URLSessionConfiguration.ephemeral
        configuration.answerRequests(with: stub)
        let manager = HTTPSessionManager(sessionConfiguration: configuration)
        // end
        return manager
    }
}
