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

    /// The public task object, if the task is in progress.
    var taskInProgress: URLSessionTask? {
        state.withLock { $0.life.isInProgress && !$0.delivery.isOver ? $0.task : nil }
    }

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
            case .load(let loadRequest):
                // This may be an event loop's thread.
                SessionCore.work.async { [self] in load(loadRequest) }
            case .wait(let error):
                SessionCore.work.async { [self] in waitForConnectivity(after: error) }
            case .decide(let question, let number):
                SessionCore.work.async { [self] in decide(question, number) }
            case .write(let file):
                file.write(for: self)
            case .complete(let file):
                file.complete(for: self)
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
            case .scheduleDelivery(let events, let number):
                events.append(.task(self, number: number))
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
    func release(_ remains: TaskRemains?) {
        guard let remains else { return }
        remains.alarm?.cancel()
        if remains.hasFailed { remains.file?.discard() }
        updateProgress()
        remains.session?.core.remove(self)
    }
}

// MARK: - Loads and their events

extension TaskCore {
    func begin(_ beginning: TaskState.Beginning) {
        switch beginning {
        case .none: break
        case .failed, .proceed: advance()
        case .load(let loadRequest): load(loadRequest)
        case .wait(let date): wait(until: date)
        }
    }

    /// Waits until a task's `earliestBeginDate`.
    private func wait(until date: Date) {
        setAlarm(after: date.timeIntervalSinceNow) { task in
            task.state.withLock { $0.ask(.delayedRequest) }
            task.advance()
        }
    }

    /// Runs an action after a delay.
    ///
    /// It doesn't run if the task completes before, or another alarm replaces this one.
    ///
    /// - Parameter number: The question that the alarm belongs to; `nil` for none. If the question
    ///   has already been answered, the alarm isn't set, so that it doesn't replace a newer one.
    func setAlarm(
        after seconds: TimeInterval,
        aboutQuestion number: Int? = nil,
        _ act: @escaping @Sendable (TaskCore) -> Void
    ) {
        let alarm = LoadTimer(queue: SessionCore.work) { [weak self] in
            if let self { act(self) }
        }
        let former = state.withLock { state in
            guard !state.life.isCompleted, state.delivery.isAwaitingAnswer(to: number) else {
                return Optional(alarm)
            }
            defer { state.alarm = alarm }
            return state.alarm
        }
        former?.cancel()
        // Limited to a time that every clock can represent.
        alarm.schedule(after: .seconds(min(max(0, seconds), 1e9)))
    }

    /// Starts a load. May block on the disk, so it must not run on an event loop's thread.
    func load(_ loadRequest: LoadRequest) {
        guard !loadRequest.body.isAsked else {
            state.withLock { $0.ask(.bodyStream(loadRequest)) }
            return advance()
        }
        guard let context = state.withLock({ $0.loadContext() }) else { return }
        let core = context.session.core
        let loadRequest = core.authorized(loadRequest)
        if let fault = contentFault(of: loadRequest) {
            state.withLock { $0.failUpload(fault) }
            return advance()
        }
        if let error = loadRequest.body.fileError {
            state.withLock { $0.finish(with: error) }
            return advance()
        }
        do throws(TransportError) {
            let (loader, httpRequest) = try core.loader(for: loadRequest, context, client: self)
            let started = Date()
            // Reads the disk, so it runs outside of the lock.
            let file = loadRequest.fileVersion
            let length = loadRequest.bodyLength
            let isWanted = state.withLock { state in
                state.begin(
                    TaskLoad(
                        loader: loader,
                        loadRequest: loadRequest,
                        httpRequest: httpRequest,
                        started: started,
                        file: file
                    ),
                    bodyLength: length
                )
            }
            if isWanted { loader.start() }
        } catch {
            state.withLock { $0.finish(with: URLError(error, url: loadRequest.request.url)) }
            advance()
        }
    }

    /// Fails the task because its body failed. This error replaces the transport's.
    func bodyFailed(_ error: any Error) {
        let loader = state.withLock { $0.stopSending(because: error) }
        loader?.cancel()
        advance()
    }
}

extension TaskCore: LoaderClient {
    func loader(_ loader: any Loader, didReceive event: LoadEvent) {
        switch event {
        case .sentBodyBytes(let sent, let expected):
            state.withLock { $0.noteSent(sent, of: expected, by: loader) }
        case .challenge(let challenge):
            state.withLock { $0.receive(challenge, from: loader) }
        case .tunnelHead(let head):
            state.withLock { $0.note(tunnelHead: head, from: loader) }
        case .informationalHead(let head):
            state.withLock { $0.receive(informational: head, from: loader) }
        case .redirect(let request, let response):
            state.withLock { $0.noteRedirect(to: request, by: response, from: loader) }
        case .encodedBytes(let received):
            state.withLock { $0.note(encodedBytes: received, from: loader) }
        case .proposal(let proposal):
            receive(proposal, from: loader)
        case .end(let outcome):
            state.withLock { $0.end(outcome, of: loader) }
        case .endOfTurn:
            updateProgress()
            endTurn(of: loader)
            advance()
        case .endOfLastTurn:
            updateProgress()
            state.withLock { $0.exchange.buffer.stopWaiting() }
            advance()
        case .idle:
            state.withLock { $0.exchange.buffer.stopWaiting() }
            advance()
        }
    }

    /// Asks the loader for ``LoadEvent/idle`` if the consumer of a large body can wait for it.
    private func endTurn(of loader: any Loader) {
        guard let mayPause = state.withLock({ $0.exchange.buffer.endTurn() }) else { return }
        guard !loader.notifyWhenIdle(mayPause: mayPause) else { return }
        state.withLock { $0.exchange.buffer.stopWaiting() }
    }

    func loader(_ loader: any Loader, didReceive trust: ServerTrust) -> TrustDecision {
        state.withLock { $0.receive(trust, from: loader) }
    }

    func loader(_ loader: any Loader, didReceive response: LoadedResponse) -> DeliveryDecision {
        state.withLock { $0.receive(response, from: loader) }
    }

    func loader(_ loader: any Loader, didReceiveBody bytes: Span<UInt8>) -> DeliveryDecision {
        state.withLock { $0.receive(bytes, from: loader) }
    }

    func collectedBody(from loader: any Loader) -> Data? {
        state.withLock { $0.collectedBody(from: loader) }
    }
}
