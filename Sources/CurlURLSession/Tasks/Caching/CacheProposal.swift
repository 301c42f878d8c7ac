internal import Foundation
internal import Synchronization

/// A response that is stored unless the delegate objects.
struct CacheProposal: Sendable {
    let cached: CachedURLResponse
    let request: URLRequest
    let cache: URLCache
    /// Whether it is stored only if the delegate says so, because it could answer no later request.
    var needsConsent = false

    /// Stores the response that the delegate returned, unless it is `nil`.
    func store(_ answer: CachedURLResponse?) {
        guard let answer else { return }
        cache.keep(answer.recorded(like: cached), for: request)
    }
}

// Storing in the session's cache.

extension TaskState {
    /// Keeps a proposal if the delegate must be asked. Returns true if it isn't asked and the
    /// response is stored.
    mutating func note(_ proposal: CacheProposal, from loader: any Loader) -> Bool {
        guard isCurrent(loader), let phase = exchange.load?.phase else { return false }
        guard case .delivering = phase else {
            // A redirect or a challenge, which the delegate never gets as a response.
            return true
        }
        guard kind.isData else { return false }
        guard consumer.isDelegate, delegates.data != nil else { return true }
        exchange.proposal = proposal
        delivery.note(.proposal)
        return false
    }

    /// Accepts an answer. Returns false if it isn't awaited, because there was one before or the
    /// task was cancelled.
    mutating func takeStorageAnswer() -> Bool {
        guard delivery.answerProposal() else { return false }
        exchange.proposal = nil
        alarm?.cancel()
        alarm = nil
        return true
    }
}

// Asks the delegate what to store in the session's cache.

extension TaskCore {
    func receive(_ proposal: CacheProposal, from loader: any Loader) {
        let isUnasked = state.withLock { $0.note(proposal, from: loader) }
        if isUnasked, !proposal.needsConsent { proposal.store(proposal.cached) }
    }

    func ask(aboutProposal step: TaskStep) {
        guard let proposal = state.withLock({ $0.exchange.proposal }),
            let delegate = step.delegates.data,
            let task = step.task as? URLSessionDataTask
        else { return answer(nil, to: nil) }
        delegate.urlSession(
            step.session,
            dataTask: task,
            willCacheResponse: proposal.cached
        ) { [self] cached in
            answer(cached, to: proposal)
        }
        watchTimeout(of: proposal, step)
    }

    /// Accepts the first answer; `nil` stores nothing.
    private func answer(_ cached: CachedURLResponse?, to proposal: CacheProposal?) {
        guard state.withLock({ $0.takeStorageAnswer() }) else { return }
        proposal?.store(cached)
        advance()
    }

    /// Ends the wait for the delegate at the task's timeout. The task succeeds without storing,
    /// because the body is complete.
    private func watchTimeout(of proposal: CacheProposal, _ step: TaskStep) {
        let limit = step.session.core.settings.resourceLimit
        let left = state.withLock { state in
            state.delivery.isAwaitingStorage ? state.clock.timeLeft(of: limit) : nil
        }
        guard let left else { return }
        setAlarm(after: left.timeInterval) { $0.answer(nil, to: proposal) }
    }
}
