internal import Curl
internal import Synchronization

/// The commands for a loop, posted by any thread and taken by the loop's own.
///
/// Only the first command that finds the loop asleep pays for a wake-up.
final class Mailbox: Sendable {
    private struct State {
        var commands: [Command] = []
        /// Transfers whose cancellation is posted and not yet carried out.
        var cancelled: Set<TransferID> = []
        var isLoopAsleep = false
        /// Nil once the mailbox is closed.
        var bell: Bell?
    }

    private let state: Mutex<State>
    /// As many as `cancelled` has, to be read without the lock.
    private let cancelledCount = Atomic(0)

    /// What becomes readable when there is mail, until the mailbox is closed.
    let descriptor: Int32

    init() throws(SystemFailure) {
        let bell = try Bell()
        descriptor = bell.wakeup.descriptor
        state = Mutex(State(bell: bell))
    }

    /// Adds a command; false if the loop has ended and will never see it.
    @discardableResult
    func post(_ command: Command) -> Bool {
        let (isOpen, bell): (Bool, Bell?) = state.withLock { state in
            guard let bell = state.bell else { return (false, nil) }
            state.commands.append(command)
            if case .cancel(let id) = command {
                state.cancelled.insert(id)
                cancelledCount.store(state.cancelled.count, ordering: .releasing)
            }
            let mustWake = state.isLoopAsleep
            state.isLoopAsleep = false
            return (true, mustWake ? bell : nil)
        }
        // Not under the lock, which the loop wants as soon as it wakes.
        bell?.wakeup.signal()
        return isOpen
    }

    // MARK: The loop's part

    /// Announces that the loop is about to wait. False if there is mail, and it must not.
    func prepareToWait() -> Bool {
        state.withLock { state in
            state.isLoopAsleep = state.commands.isEmpty
            return state.isLoopAsleep
        }
    }

    /// Makes ``descriptor`` unreadable again.
    func clearWakeup() {
        let bell = state.withLock { $0.bell }
        bell?.wakeup.clear()
    }

    /// Exchanges the commands for the empty array that is handed in.
    func takeAll(into commands: inout [Command]) {
        state.withLock { state in
            state.isLoopAsleep = false
            swap(&state.commands, &commands)
        }
    }

    /// Whether the cancellation of a transfer is on its way.
    func hasCancelled(_ id: TransferID) -> Bool {
        guard cancelledCount.load(ordering: .acquiring) > 0 else { return false }
        return state.withLock { $0.cancelled.contains(id) }
    }

    /// A cancellation was carried out.
    func forgetCancellation(of id: TransferID) {
        state.withLock { state in
            state.cancelled.remove(id)
            cancelledCount.store(state.cancelled.count, ordering: .releasing)
        }
    }

    /// Takes no more commands, answers those that nobody took, and gives the descriptor back.
    func close() -> [Command] {
        state.withLock { state in
            state.bell = nil
            defer { state.commands = [] }
            return state.commands
        }
    }
}
