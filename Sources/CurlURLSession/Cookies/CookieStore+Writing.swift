internal import Dispatch
internal import Foundation
internal import Synchronization

extension CookieStore {
    /// The shortest time between two writes, except for `flush()`.
    private static let interval = DispatchTimeInterval.seconds(1)

    /// Schedules writing the changes on the queue.
    ///
    /// They are written at once or, together with later changes, an interval after the last write.
    /// The queue keeps the store alive until then.
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

    /// Writes the changes, and adopts those that others have made in the file. Blocks.
    ///
    /// - Parameter isForced: Whether to read the file even without changes here.
    func write(isForced: Bool) {
        guard let update else { return }
        let isChanged = writing.withLock { _ in exchange(update, isForced: isForced) }
        if isChanged { scheduleNotification() }
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
            // They are written together with the next changes.
            state.withLock { state in
                state.jar.changes?.restore(changes)
                state.failure = error
            }
            return false
        }
    }

    /// Writes the changes here, and reads those of others. Blocks.
    ///
    /// - Throws: The failure of this call, or an earlier one that was neither reported nor
    ///   resolved.
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
    /// Clears an earlier failure, unless cookies of a damaged file are missing.
    fileprivate mutating func noteSuccess(damage: HTTPCookieStorageError?) {
        if let damage {
            failure = damage
        } else if failure?.code != .damaged {
            failure = nil
        }
    }
}
