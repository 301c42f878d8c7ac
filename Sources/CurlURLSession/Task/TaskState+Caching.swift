internal import Foundation

// What is stored in the session's cache.

extension TaskState {
    /// Takes note of what could be stored, where the delegate is to be asked. True if nobody is, and it
    /// is to be stored.
    mutating func note(_ proposal: CacheProposal, from loader: any Loader) -> Bool {
        guard isCurrent(loader), let phase = load?.phase else { return false }
        guard case .delivering = phase else {
            // A response that leads on, which the delegate never sees as one.
            return true
        }
        guard kind == .data else { return false }
        guard consumer.isDelegate, recipients.data != nil else { return true }
        self.proposal = proposal
        delivery.noteProposal()
        return false
    }

    /// An answer has come. False if it isn't awaited, because there was one before or the task was
    /// cancelled.
    mutating func takeStorageAnswer() -> Bool {
        guard delivery.answerProposal() else { return false }
        proposal = nil
        alarm?.cancel()
        alarm = nil
        return true
    }
}
