internal import CurlTransport
internal import Foundation

/// The reason why a task can't start, known at its creation.
enum TaskStartFailure: Sendable {
    /// The session was invalid. Returns the task object, which is held weakly.
    ///
    /// The session doesn't list such a task. Its core only holds the object from its start on.
    case sessionIsInvalid(@Sendable () -> URLSessionTask?)
    case invalidResumeData
    case invalidUploadResumeData
    case noSession
    case invalidEndpoint

    /// The error that the task ends with.
    func error(url: URL?) -> URLError {
        switch self {
        case .sessionIsInvalid:
            URLError(
                .cancelled,
                url: url,
                reason: "the session was invalidated before the task was created; use another one.",
                underlying: TransportError.shutdown
            )
        case .invalidResumeData:
            // The task has no request, and so no URL.
            URLError(
                .unsupportedURL,
                url: url,
                reason: "the resume data isn't from a download task; restart the download."
            )
        case .invalidUploadResumeData:
            URLError(
                .cannotDecodeRawData,
                url: url,
                reason: "the resume data isn't from an upload task; restart the upload."
            )
        case .invalidEndpoint:
            URLError(
                .badURL,
                url: url,
                reason: "the host name or the port is invalid."
            )
        case .noSession:
            URLError(
                .unknown,
                url: url,
                reason: "the task belongs to no session; create tasks with a session's methods."
            )
        }
    }
}
