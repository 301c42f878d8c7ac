internal import CurlURLSession
internal import Dispatch
internal import Foundation
internal import Synchronization

/// What a manager consists of, whatever class it is.
///
/// The session's delegate and the tasks' hold it, and none of them the manager, but for tasks that are
/// under way. So the manager goes with its user's last reference to it and its last such task; it has
/// the session become invalid then, which lets go of all the rest.
///
/// Nothing of the user's is called with the lock held.
final class ManagerCore: Sendable {
    let operationQueue: OperationQueue
    /// Where completions and notifications go unless somebody says otherwise.
    let mainQueue: MainQueue
    /// Which tasks have completions that have yet to run.
    let ledger = Mutex(TaskLedger())
    private let state: Mutex<ManagerState>
    /// Whether somebody wants to be told of everything, which hardly anybody does.
    private let hasMonitors = Atomic(false)

    /// What completions are members of, unless somebody says otherwise.
    private static let group = DispatchGroup()

    init(configuration: URLSessionConfiguration?, mainQueue: MainQueue = .shared) {
        let copy = configuration?.copy() as? URLSessionConfiguration
        state = Mutex(ManagerState(configuration: copy ?? configuration ?? .default))
        operationQueue = OperationQueue()
        operationQueue.maxConcurrentOperationCount = 1
        self.mainQueue = mainQueue
    }

    /// What the manager is set to, in one respect.
    func read<Value>(_ property: (ManagerState) -> Value) -> Value where Value: Sendable {
        state.withLock { property($0) }
    }

    /// Sets the manager to something.
    ///
    /// - Parameter change: Exchanges a value for what it was, which is let go of outside of the lock.
    func change<Value: Sendable>(
        _ property: any WritableKeyPath<ManagerState, Value> & Sendable,
        to value: Value
    ) {
        let former = state.withLock { state in
            let former = state[keyPath: property]
            state[keyPath: property] = value
            return former
        }
        extendLifetime(former)
    }

    /// What somebody wants to be told of, or asked; `nil` if nobody does.
    func handler<Handler>(_ choose: (ManagerHandlers) -> Handler?) -> Handler?
    where Handler: Sendable {
        state.withLock { choose($0.handlers) }
    }

    // MARK: Monitors

    /// Who is told of everything; `nil` for nobody.
    var monitors: EventMonitors? {
        guard hasMonitors.load(ordering: .acquiring) else { return nil }
        return EventMonitors(all: read(\.monitors))
    }

    func setMonitors(_ monitors: [any EventMonitor]) {
        let former = state.withLock { state in
            defer {
                state.monitors = monitors
                // Of two who set them, the same one counts for both.
                hasMonitors.store(!monitors.isEmpty, ordering: .releasing)
            }
            return state.monitors
        }
        extendLifetime(former)
    }

    // MARK: The session

    /// The session, a new one if there is none.
    var session: URLSession {
        state.withLock { state in
            if let session = state.session { return session }
            let session = URLSession(
                configuration: state.configuration,
                delegate: SessionRelay(core: self),
                delegateQueue: operationQueue
            )
            state.session = session
            return session
        }
    }

    func invalidateSession(cancelingTasks: Bool, reset: Bool) {
        let session = session
        if cancelingTasks {
            session.invalidateAndCancel()
        } else {
            session.finishTasksAndInvalidate()
        }
        guard reset else { return }
        state.withLock { state in
            if state.session === session { state.session = nil }
        }
    }

    /// Has servers judged otherwise: at once, and not only when a connection that there is has ended.
    func setSecurityPolicy(_ policy: SecurityPolicy) {
        change(\.securityPolicy, to: policy)
        read(\.session)?.forgetConnections()
    }

    /// The manager is gone: tasks that there are still come to their ends.
    func letGo() {
        read(\.session)?.finishTasksAndInvalidate()
    }

    // MARK: Ends of tasks

    /// Has a task's completion handler called, and the notification posted.
    ///
    /// - Parameter kept: Lives until the handler has returned.
    func complete(
        _ task: URLSessionTask,
        _ outcome: TaskOutcome,
        _ consumer: OutcomeConsumer,
        keeping kept: TaskDelegateState.Kept
    ) {
        let tell: @Sendable () -> Void = { [self] in
            consumer.take(outcome)
            tellDidComplete(task, outcome)
            leave(kept.age)
            extendLifetime(kept)
        }
        guard !consumer.isSwiftTask else { return tell() }
        let (queue, ownGroup) = read { ($0.completionQueue, $0.completionGroup) }
        let group = ownGroup ?? Self.group
        if let queue {
            queue.async(group: group, execute: tell)
        } else {
            mainQueue.async(group: group, isAwaited: !consumer.isNobody, tell)
        }
    }
}
