internal import CurlURLSession
internal import Foundation

/// Who is told how a task came out.
enum OutcomeConsumer: Sendable {
    case nobody
    case handler(URLSessionManager.CompletionHandler)
    case downloadHandler(URLSessionManager.DownloadCompletionHandler)
    /// A Swift task that waits, and goes on without any queue.
    case swiftTask(@Sendable (TaskOutcome) -> Void)

    var isSwiftTask: Bool {
        if case .swiftTask = self { true } else { false }
    }

    var isNobody: Bool {
        if case .nobody = self { true } else { false }
    }

    func take(_ outcome: TaskOutcome) {
        switch self {
        case .nobody:
            break
        case .handler(let handler):
            handler(outcome.response, outcome.object, outcome.error)
        case .downloadHandler(let handler):
            handler(outcome.response, outcome.object as? URL, outcome.error)
        case .swiftTask(let resume):
            resume(outcome)
        }
    }
}
