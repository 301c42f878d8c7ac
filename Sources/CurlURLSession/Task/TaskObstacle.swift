internal import CurlTransport
internal import Foundation

/// Why a task can't begin, known when it was created.
enum TaskObstacle: Sendable {
    /// The object that the task's owner has is held from the beginning on alone: no list has it.
    case sessionIsInvalid(@Sendable () -> URLSessionTask?)
    case invalidResumeData
    case invalidUploadResumeData
    case noSession
    case invalidEndpoint

    /// What the task ends with.
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
            URLError(
                .cannotDecodeRawData,
                url: url,
                reason: "the resume data isn't from a download task; begin the download anew."
            )
        case .invalidUploadResumeData:
            URLError(
                .cannotDecodeRawData,
                url: url,
                reason: "the resume data isn't from an upload task; begin the upload anew."
            )
        case .invalidEndpoint:
            URLError(
                .badURL,
                url: url,
                reason: "no connection leads to that host name and port."
            )
        case .noSession:
            URLError(
                .unknown,
                url: url,
                reason: "the task belongs to no session; create tasks by a session's methods."
            )
        }
    }
}
