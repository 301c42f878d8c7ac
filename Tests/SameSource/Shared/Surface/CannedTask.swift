import Foundation
import Synchronization

/// A task that ends when it is started.
final class CannedTask: URLSessionDataTask, @unchecked Sendable {
    private let answer: Data
    private let completionHandler: @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    private let current = Mutex(URLSessionTask.State.suspended)

    init(
        answer: Data,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) {
        self.answer = answer
        self.completionHandler = completionHandler
        super.init()
    }

    override var taskIdentifier: Int { 7 }
    override var originalRequest: URLRequest? { nil }
    override var priority: Float {
        get { URLSessionTask.highPriority }
        set {}
    }
    override var error: (any Error)? { nil }

    override func resume() {
        current.withLock { $0 = .running }
        completionHandler(answer, nil, nil)
    }

    override func suspend() {
        current.withLock { $0 = .suspended }
    }

    override func cancel() {
        current.withLock { $0 = .canceling }
    }

    override var state: URLSessionTask.State {
        current.withLock { $0 }
    }
}
