internal import Curl
internal import Synchronization

/// The commands for a loop, posted by any thread and taken by the loop's own.
///
/// Only the first command that finds the loop asleep pays for a wake-up.
final class Mailbox: Sendable {
    private struct State {
        var commands: [Command] = []
        var isLoopAsleep = false
        var isClosed = false
    }

    private let state = Mutex(State())
    let wakeup: Wakeup

    init() throws(SystemFailure) {
        wakeup = try Wakeup()
    }

    /// Adds a command; false if the loop has ended and will never see it.
    @discardableResult
    func post(_ command: Command) -> Bool {
        let (isOpen, mustWake) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.commands.append(command)
            let mustWake = state.isLoopAsleep
            state.isLoopAsleep = false
            return (true, mustWake)
        }
        if mustWake { wakeup.signal() }
        return isOpen
    }

    // MARK: The loop's part

    /// Announces that the loop is about to wait. False if there is mail, and it must not.
    func fallAsleep() -> Bool {
        state.withLock { state in
            state.isLoopAsleep = state.commands.isEmpty
            return state.isLoopAsleep
        }
    }

    /// Exchanges the commands for the empty array that is handed in.
    func takeAll(into commands: inout [Command]) {
        state.withLock { state in
            state.isLoopAsleep = false
            swap(&state.commands, &commands)
        }
    }

    /// Takes no more commands, and answers those that nobody took.
    func close() -> [Command] {
        state.withLock { state in
            state.isClosed = true
            defer { state.commands = [] }
            return state.commands
        }
    }
}
