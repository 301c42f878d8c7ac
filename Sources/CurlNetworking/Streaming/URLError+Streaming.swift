internal import CurlURLSession
internal import Foundation

extension URLError {
    /// A server ends each connection for events without having sent anything over it.
    ///
    /// - Parameter attempts: How often it was connected with again, in a row.
    static func silentEventStream(_ response: URLResponse, attempts: Int) -> URLError {
        let sentence =
            "The server has ended its stream of events \(attempts + 1) times in a row without having "
            + "sent a line; see maximumAttempts of ServerSentEventReconnection."
        var info: [String: Any] = [
            NSLocalizedDescriptionKey: sentence,
            NSLocalizedFailureReasonErrorKey: sentence,
        ]
        info[NSURLErrorFailingURLErrorKey] = response.url?.withoutUserInfo
        info[NetworkingOperationFailingURLResponseErrorKey] = response as? HTTPURLResponse
        return URLError(.networkConnectionLost, userInfo: info)
    }
}
