internal import Curl
internal import Synchronization

/// The commands for a loop, posted by any thread and taken by the loop's own.
///
/// Only the first command that finds the loop asleep pays for a wake-up.
final class Mailbox: Sendable {
    private struct State: ~Copyable {
        var commands: [Command] = []
        var isLoopAsleep = false
        /// Nil once the mailbox is closed. It is rung under the lock, so that its number isn't
        /// another descriptor's by then.
        var wakeup: Wakeup?
    }

    private let state: Mutex<State>

    /// What becomes readable when there is mail, until the mailbox is closed.
    let descriptor: Int32

    init() throws(SystemFailure) {
        let wakeup = try Wakeup()
        descriptor = wakeup.descriptor
        state = Mutex(State(wakeup: wakeup))
    }

    /// Adds a command; false if the loop has ended and will never see it.
    @discardableResult
    func post(_ command: Command) -> Bool {
        state.withLock { state in
            guard state.wakeup != nil else { return false }
            state.commands.append(command)
            if state.isLoopAsleep { state.wakeup?.signal() }
            state.isLoopAsleep = false
            return true
        }
    }

    // MARK: The loop's part

    /// Announces that the loop is about to wait. False if there is mail, and it must not.
    func fallAsleep() -> Bool {
        state.withLock { state in
            state.isLoopAsleep = state.commands.isEmpty
            return state.isLoopAsleep
        }
    }

    /// Makes ``descriptor`` unreadable again.
    func clearWakeup() {
        state.withLock { $0.wakeup?.clear() }
    }

    /// Exchanges the commands for the empty array that is handed in.
    func takeAll(into commands: inout [Command]) {
        state.withLock { state in
            state.isLoopAsleep = false
            swap(&state.commands, &commands)
        }
    }

    /// Takes no more commands, answers those that nobody took, and gives the descriptor back.
    func close() -> [Command] {
        state.withLock { state in
            state.wakeup = nil
            defer { state.commands = [] }
            return state.commands
        }
    }
}
