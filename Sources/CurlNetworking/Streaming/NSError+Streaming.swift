internal import CurlURLSession
internal import Foundation

extension NSError {
    /// A line of a response is longer than it may be.
    static func lineTooLong(_ limit: Int, _ response: URLResponse) -> NSError {
        tooLong("a line", limit, response)
    }

    /// The data of a server-sent event is longer than it may be.
    static func eventTooLong(_ limit: Int, _ response: URLResponse) -> NSError {
        tooLong("an event's data", limit, response)
    }

    private static func tooLong(_ what: String, _ limit: Int, _ response: URLResponse) -> NSError {
        var info: [String: Any] = [
            NSLocalizedDescriptionKey: "Request failed: \(what) is too long",
            NSLocalizedFailureReasonErrorKey:
                "The server sent \(what) of more than \(limit) bytes; set another maximumLength if "
                + "that is to be expected",
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
