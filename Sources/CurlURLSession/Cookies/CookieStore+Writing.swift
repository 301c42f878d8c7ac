internal import Dispatch
internal import Foundation
internal import Synchronization

extension CookieStore {
    /// How far apart files are written, unless somebody waits for it.
    private static let interval = DispatchTimeInterval.seconds(1)

    /// Has the changes written by the queue: at once, or a while after the last time together with
    /// what changes until then. The store stays until they are.
    func scheduleWriting() {
        guard update != nil else { return }
        let time = state.withLock { state -> DispatchTime? in
            guard !state.isScheduled else { return nil }
            state.isScheduled = true
            let now = DispatchTime.now()
            return max(now, state.lastWrite.map { $0 + Self.interval } ?? now)
        }
        guard let time else { return }
        queue.asyncAfter(deadline: time) { self.write(isForced: false) }
    }

    /// Writes the changes, and takes over what others have changed in the file. Blocks.
    ///
    /// - Parameter isForced: Whether the file is read although nothing has changed here.
    func write(isForced: Bool) {
        guard let update else { return }
        let isChanged = writing.withLock { _ in exchange(update, isForced: isForced) }
        if isChanged { tellLater() }
    }

    /// Returns whether others' changes were new here.
    private func exchange(_ update: Update, isForced: Bool) -> Bool {
        let (changes, own) = state.withLock { state in
            state.isScheduled = false
            state.lastWrite = .now()
            return (state.jar.takeChanges(), state.jar.persistent)
        }
        guard isForced || !changes.isEmpty else { return false }
        do {
            let outcome = try update(changes, own)
            return change { state in
                state.noteSuccess(damage: outcome.damage)
                return state.jar.adopt(outcome.jar, now: Date())
            }
        } catch {
            // They are written with the next ones.
            state.withLock { state in
                state.jar.changes?.restore(changes)
                state.failure = error
            }
            return false
        }
    }

    /// Writes what has changed and reads what others have. Blocks.
    ///
    /// - Throws: What went wrong now, or since it was called last and wasn't made good.
    func flush() throws(HTTPCookieStorageError) {
        write(isForced: true)
        let failure = state.withLock { state in
            defer { state.failure = nil }
            return state.failure
        }
        if let failure { throw failure }
    }
}

extension CookieStore.State {
    /// What couldn't be written before has been written now; but what a damaged file held is missing.
    fileprivate mutating func noteSuccess(damage: HTTPCookieStorageError?) {
        if let damage {
            failure = damage
        } else if failure?.code != .damaged {
            failure = nil
        }
    }
}
