internal import CurlTransport
internal import Dispatch
internal import Foundation
internal import Synchronization

/// What a task consists of, whatever class it is.
///
/// All that happens, on whatever thread, changes the state under its lock; ``advance()`` then does what
/// that calls for, without it. So nothing of the user's is ever called with the lock held, and nothing
/// of the user's is called on a loader's thread.
final class TaskCore: Sendable {
    let identifier: Int
    let state: Mutex<TaskState>
    /// Whether somebody has asked for the task's progress, which hardly anybody does.
    let hasProgress = Atomic(false)

    init(identifier: Int, state: consuming sending TaskState) {
        self.identifier = identifier
        self.state = Mutex(state)
    }

    /// The object that the task's owner has; `nil` once the task is over.
    var task: URLSessionTask? { state.withLock { $0.task } }

    // MARK: The owner's part

    func resume() {
        begin(state.withLock { $0.resume() })
    }

    /// - Parameter task: The object that its owner has resumed.
    func resume(_ task: URLSessionTask) {
        let (observer, beginning) = state.withLock { state in
            (state.observer(unlessTaskIs: .running), state.resume())
        }
        observer?.taskDidResume(task)
        begin(beginning)
    }

    /// - Parameter task: The object that its owner has suspended.
    func suspend(_ task: URLSessionTask) {
        let observer = state.withLock { state in
            let observer = state.observer(unlessTaskIs: .suspended)
            if state.life.suspend() == .hold { state.updateFlow() }
            return observer
        }
        observer?.taskDidSuspend(task)
    }

    func cancel() {
        let loader = state.withLock { $0.cancel() }
        loader?.cancel()
        advance()
    }

    /// Ends the task for a reason of this side's own.
    func stop(because error: any Error) {
        let loader = state.withLock { $0.stop(because: error) }
        loader?.cancel()
        advance()
    }

    // MARK: What happens next

    /// Does what has to be done, as things stand now.
    func advance() {
        while true {
            switch state.withLock({ $0.nextAction() }) {
            case .none:
                return
            case .storeCookies(let cookies):
                store(cookies)
            case .storeCredential(let proof, let storage):
                store(proof, in: storage)
            case .load(let plan):
                // This may be an event loop's thread.
                SessionCore.work.async { [self] in load(plan) }
            case .wait(let error):
                SessionCore.work.async { [self] in waitForConnectivity(after: error) }
            case .decide(let question, let number):
                SessionCore.work.async { [self] in decide(question, number) }
            case .write(let file):
                file.write(for: self)
            case .seal(let file):
                file.seal(for: self)
            case .keep(let file):
                file.keep(for: self)
            case .keepUpload(let upload):
                keep(upload)
            case .handOver(let handlers, let data, let events):
                handOver(data, to: handlers, events)
            case .wake(let waiter):
                waiter.resume(isTheOnly: true)
            case .abandon(let connection):
                connection.cancel()
            case .tell(let events):
                events.append(.task(self))
            case .finish:
                finish()
            }
        }
    }

    /// Perhaps from the disk and back to it, so not on this thread.
    private func store(_ cookies: ReceivedCookies) {
        SessionCore.work.async { [self] in
            cookies.store()
            state.withLock { $0.isStoringCookies = false }
            advance()
        }
    }

    /// Tells observers, so not on this thread.
    private func store(_ proof: Authorization.Proof, in storage: URLCredentialStorage) {
        SessionCore.work.async { [self] in
            if storage.defaultCredential(for: proof.space) != proof.credential {
                storage.setDefaultCredential(proof.credential, for: proof.space)
            }
            state.withLock { $0.isStoringCredential = false }
            advance()
        }
    }

    /// The task is over, and lets go of all that it was about.
    func finish() {
        letGo(of: state.withLock { $0.close() })
    }

    /// - Parameter remains: What a task is about that is over; `nil` where that was let go of before.
    func letGo(of remains: TaskState.Remains?) {
        guard remains != nil else { return }
        remains?.alarm?.cancel()
        if remains?.hasFailed ?? false { remains?.file?.discard() }
        updateProgress()
        remains?.session?.core.remove(self)
    }
}
