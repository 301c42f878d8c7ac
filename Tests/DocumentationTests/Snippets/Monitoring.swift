internal import CurlNetworking
internal import Foundation

// snippet: Services/monitor
struct RequestLog: EventMonitor {
    let log: @Sendable (String) -> Void

    func taskWillRetry(_ task: URLSessionTask, dueTo error: any Error, after delay: TimeInterval) {
        log("\(task.taskIdentifier) again after \(delay) s: \(error.localizedDescription)")
    }

    func task(_ task: URLSessionTask, didCompleteWith outcome: TaskOutcome) {
        log("\(task.taskIdentifier) \(outcome.error?.localizedDescription ?? "done")")
    }
}
// hide

extension Services {
    func monitor(_ manager: HTTPSessionManager) {
        // show
        manager.eventMonitors = [RequestLog { line in print(line) }]
        // end
    }
}
