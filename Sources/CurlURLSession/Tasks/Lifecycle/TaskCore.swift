internal import CurlTransport
internal import Dispatch
internal import Foundation
internal import Synchronization

/// The implementation of a task, independent of its public class.
///
/// Every event, on any thread, changes the state under its lock. Then ``advance()`` carries out the
/// resulting actions without the lock. So user code never runs with the lock held, and never on a
/// loader's thread.
final class TaskCore: Sendable {
    let identifier: Int
    let state: Mutex<TaskState>
    /// Whether the owner has requested the task's progress, which is rare.
    let hasProgress = Atomic(false)

    init(identifier: Int, state: consuming sending TaskState) {
        self.identifier = identifier
        self.state = Mutex(state)
    }

    /// The public task object; `nil` after the task has completed.
    var task: URLSessionTask? { state.withLock { $0.task } }

    // MARK: Calls of the owner

    func resume() {
        begin(state.withLock { $0.resume() })
    }

    /// - Parameter task: The resumed task object.
    func resume(_ task: URLSessionTask) {
        let (observer, beginning) = state.withLock { state in
            (state.observer(unlessTaskIs: .running), state.resume())
        }
        observer?.taskDidResume(task)
        begin(beginning)
    }

    /// - Parameter task: The suspended task object.
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

    /// Ends the task with a local error.
    func stop(because error: any Error) {
        let loader = state.withLock { $0.stop(because: error) }
        loader?.cancel()
        advance()
    }

    // MARK: Actions

    /// Carries out all actions that the current state requires.
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
            case .deliverResumeData(let handlers, let data, let events):
                deliverResumeData(data, to: handlers, events)
            case .wake(let waiter):
                waiter.resume(isTheOnly: true)
            case .abandon(let connection):
                connection.cancel()
            case .scheduleDelivery(let events):
                events.append(.task(self))
            case .finish:
                finish()
            }
        }
    }

    /// Stores cookies on a background queue. This may read and write the disk.
    private func store(_ cookies: ReceivedCookies) {
        SessionCore.work.async { [self] in
            cookies.store()
            state.withLock { $0.exchange.cookies.noteStored() }
            advance()
        }
    }

    /// Stores an accepted credential on a background queue, because this calls observers.
    private func store(_ proof: Authorization.Proof, in storage: URLCredentialStorage) {
        SessionCore.work.async { [self] in
            if storage.defaultCredential(for: proof.space) != proof.credential {
                storage.setDefaultCredential(proof.credential, for: proof.space)
            }
            state.withLock { $0.exchange.accepted.isStoring = false }
            advance()
        }
    }

    /// Completes the task and releases its resources.
    func finish() {
        release(state.withLock { $0.close() })
    }

    /// Releases the resources of a completed task.
    ///
    /// - Parameter remains: The resources; `nil` if they were released before.
    func release(_ remains: TaskState.Remains?) {
        guard remains != nil else { return }
        remains?.alarm?.cancel()
        if remains?.hasFailed ?? false { remains?.file?.discard() }
        updateProgress()
        remains?.session?.core.remove(self)
    }
}
