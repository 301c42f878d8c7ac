internal import CurlTransport
internal import Foundation
internal import Synchronization

// Starts loads, and receives the events of loaders.

extension TaskCore {
    func begin(_ beginning: TaskState.Beginning) {
        switch beginning {
        case .none: break
        case .failed, .proceed: advance()
        case .load(let plan): load(plan)
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

    /// Loads a plan's request. May block on the disk, so it must not run on an event loop's thread.
    func load(_ plan: LoadRequest) {
        guard !plan.body.isAsked else {
            state.withLock { $0.ask(.bodyStream(plan)) }
            return advance()
        }
        guard let terms = state.withLock({ $0.loadTerms() }) else { return }
        let core = terms.session.core
        let plan = core.authorized(plan)
        if let fault = contentFault(of: plan) {
            state.withLock { $0.failUpload(fault) }
            return advance()
        }
        if let error = plan.body.fileError {
            state.withLock { $0.finish(with: error) }
            return advance()
        }
        do throws(TransportError) {
            let (loader, outgoing) = try core.loader(for: plan, terms, client: self)
            let started = Date()
            // Reads the disk, so it runs outside of the lock.
            let file = plan.fileVersion
            let length = plan.bodyLength
            let isWanted = state.withLock { state in
                state.begin(
                    TaskLoad(
                        loader: loader,
                        plan: plan,
                        outgoing: outgoing,
                        started: started,
                        file: file
                    ),
                    bodyLength: length
                )
            }
            if isWanted { loader.start() }
        } catch {
            state.withLock { state in state.finish(with: state.exchange.urlError(error)) }
            advance()
        }
    }

    /// Fails the task because its body stream failed. This error replaces the transport's.
    func bodyFailed(_ error: any Error) {
        stop(because: state.withLock { $0.exchange.bodyError(error) })
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
        case .endOfTurn, .endOfLastTurn:
            updateProgress()
            advance()
        }
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
