import Curl
import Synchronization

/// Reads on where few hosts fill the room for what waits: the reader gives it what it reads, and a
/// thread of its own hands that to the run, host by host, as each has room.
final class FrontierFeeder: Sendable {
    private struct State: ~Copyable {
        var frontier: Frontier
        var isInputEnded = false
        var failure: BatchFailure?
    }

    /// For the reader's thread and the feeder's own.
    private let state: Mutex<State>
    private let core: RunCore
    private let folder: String
    private let thread = Mutex<LoopThread?>(nil)

    /// Where its file is: `TMPDIR`, or `/tmp`.
    static var folder: String { ProcessEnvironment.value(of: "TMPDIR") ?? "/tmp" }

    /// Makes the file and starts the thread, which takes what the run has too much of.
    ///
    /// - Throws: ``BatchFailure`` where there can be no file or no thread.
    init(_ core: RunCore, folder: String = FrontierFeeder.folder) throws(BatchFailure) {
        self.core = core
        self.folder = folder
        do throws(FileError) {
            state = Mutex(State(frontier: Frontier(try BlockFile(folder: folder))))
        } catch {
            throw Self.failure(error, folder)
        }
        do throws(SystemFailure) {
            try thread.withLock { thread throws(SystemFailure) in
                thread = try LoopThread(name: "batch-frontier") { [self] in run() }
            }
        } catch {
            throw BatchFailure(.resources, "the list can't be read on: \(error)")
        }
        // What can't be written is kept, and told with what is read next.
        let failure = park(core.beginFrontier(folder: folder))
        state.withLock { $0.failure = failure }
    }

    /// Keeps jobs until their hosts have room. Those are kept, too, with which it fails: nothing more
    /// should be read then.
    func append(_ jobs: [FetchJob]) throws(BatchFailure) {
        core.park(jobs.count)
        let failure = park(jobs)
        core.feeder.signal()
        if let failure = state.withLock({ $0.failure }) ?? failure { throw failure }
    }

    private func park(_ jobs: [FetchJob]) -> BatchFailure? {
        state.withLock { state in
            var failure: FileError?
            for job in jobs {
                do throws(FileError) {
                    try state.frontier.append(job)
                } catch {
                    failure = failure ?? error
                }
            }
            return failure.map { Self.failure($0, folder) }
        }
    }

    /// Returns when all has been handed to the run, or when the run is ending; what went wrong, if
    /// anything did.
    func finish() -> BatchFailure? {
        state.withLock { $0.isInputEnded = true }
        core.feeder.signal()
        thread.withLock { $0.take() }?.join()
        return state.withLock { $0.failure }
    }

    // MARK: Its thread

    private func run() {
        while let call = core.frontierCall() {
            do throws(FrontierDamage) {
                let (hosts, isOver) = try state.withLock { state throws(FrontierDamage) in
                    state.frontier.wake(call.hosts)
                    let hosts = call.room > 0 ? try state.frontier.candidates() : []
                    return (hosts, state.isInputEnded && state.frontier.isEmpty)
                }
                if isOver { return }
                if hosts.isEmpty {
                    core.waitForFrontierCall(orRoom: call.room <= 0)
                    continue
                }
                let room = core.room(for: hosts)
                let jobs = try state.withLock { state throws(FrontierDamage) in
                    try state.frontier.take(room, upTo: call.room)
                }
                core.unpark(jobs.map { core.recalling($0) ?? $0 })
            } catch {
                return fail(error)
            }
        }
    }

    private func fail(_ damage: FrontierDamage) {
        let reason = damage.reason.map { "\($0)" } ?? "it isn't as it was written"
        state.withLock { state in
            state.failure = BatchFailure(
                .output,
                "the list was read ahead to a file without a name in “\(folder)”, which can't be "
                    + "read back: \(reason); set TMPDIR to a folder on another disk, and start "
                    + "the same run again"
            )
        }
        // Nobody will hand on the rest.
        core.stop(cancelling: false)
    }

    private static func failure(_ error: FileError, _ folder: String) -> BatchFailure {
        var failure = BatchFailure(
            .output,
            "the list can't be read on, because what waits for its host has no room in "
                + "“\(folder)”: \(error.reason) (errno \(error.errno)); what was read before is fetched. "
                + "Make room there, or set TMPDIR to a folder that has it, and start the same run again"
        )
        failure.systemErrno = error.errno
        return failure
    }
}
