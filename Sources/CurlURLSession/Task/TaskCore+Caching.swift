internal import Foundation
internal import Synchronization

// The delegate is asked what is to be stored in the session's cache.

extension TaskCore {
    func loader(_ loader: any Loader, didCollect proposal: CacheProposal) {
        if state.withLock({ $0.note(proposal, from: loader) }) { proposal.store(proposal.cached) }
    }

    func ask(aboutProposal step: TaskStep) {
        guard let proposal = state.withLock({ $0.proposal }), let delegate = step.recipients.data,
            let task = step.task as? URLSessionDataTask
        else { return answer(nil, to: nil) }
        delegate.urlSession(
            step.session,
            dataTask: task,
            willCacheResponse: proposal.cached
        ) { [self] cached in
            answer(cached, to: proposal)
        }
        watchTimeLimit(of: proposal, step)
    }

    /// The first answer counts; `nil` for not to be stored.
    private func answer(_ cached: CachedURLResponse?, to proposal: CacheProposal?) {
        guard state.withLock({ $0.takeStorageAnswer() }) else { return }
        proposal?.store(cached)
        advance()
    }

    /// All content is there: a delegate that thinks for too long doesn't make the task fail any more.
    private func watchTimeLimit(of proposal: CacheProposal, _ step: TaskStep) {
        let limit = step.session.core.settings.resourceLimit
        let left = state.withLock { state in
            state.delivery.isAwaitingStorage ? state.timeLeft(of: limit) : nil
        }
        guard let left else { return }
        setAlarm(after: left.timeInterval) { $0.answer(nil, to: proposal) }
    }
}
