internal import CurlURLSession
internal import Foundation

extension NSError {
    /// An error for a line that exceeds the limit in bytes.
    static func lineTooLong(_ limit: Int, _ response: URLResponse) -> NSError {
        tooLong("a line", limit, response)
    }

    /// An error for event data that exceeds the limit in bytes.
    static func eventTooLong(_ limit: Int, _ response: URLResponse) -> NSError {
        tooLong("an event's data", limit, response)
    }

    private static func tooLong(_ what: String, _ limit: Int, _ response: URLResponse) -> NSError {
        var info: [String: Any] = [
            NSLocalizedDescriptionKey: "Request failed: \(what) is too long",
            NSLocalizedFailureReasonErrorKey:
                "The server sent \(what) of more than \(limit) bytes; set a larger maximumLength "
                + "if you expect this",
        ]
        info[NSURLErrorFailingURLErrorKey] = response.url?.withoutUserInfo
        info[NetworkingOperationFailingURLResponseErrorKey] = response as? HTTPURLResponse
        return NSError(
            domain: URLResponseSerializationErrorDomain,
            code: URLError.Code.dataLengthExceedsMaximum.rawValue,
            userInfo: info
        )
    }
}

extension URLError {
    /// An error for a server that repeatedly sends empty event streams.
    ///
    /// - Parameter attempts: The number of reconnections in a row.
    static func silentEventStream(_ response: URLResponse, attempts: Int) -> URLError {
        let sentence =
            "The server ended its event stream \(attempts + 1) times in a row without sending a line; "
            + "see maximumAttempts of ServerSentEventReconnection."
        var info: [String: Any] = [
            NSLocalizedDescriptionKey: sentence,
            NSLocalizedFailureReasonErrorKey: sentence,
        ]
        info[NSURLErrorFailingURLErrorKey] = response.url?.withoutUserInfo
        info[NetworkingOperationFailingURLResponseErrorKey] = response as? HTTPURLResponse
        return URLError(.networkConnectionLost, userInfo: info)
    }
}
