import Posix
import Synchronization

/// Spills queued jobs to disk when a few hosts fill the queue.
///
/// The reader's thread adds the jobs that it reads. The feeder's own thread passes them to the run,
/// host by host, as each host has room.
final class FrontierFeeder: Sendable {
    private struct State: ~Copyable {
        var frontier: Frontier
        var isInputEnded = false
        var failure: BatchFailure?
    }

    /// Shared by the reader's thread and the feeder's own.
    private let state: Mutex<State>
    private let core: RunCore
    private let folder: String

    /// The folder of the anonymous file: `TMPDIR`, or `/tmp`.
    static var folder: String { ProcessEnvironment.value(of: "TMPDIR") ?? "/tmp" }

    /// Creates the file and starts the thread. Takes the jobs that exceed their host's share.
    ///
    /// - Throws: ``BatchFailure`` if the file or the thread can't be created.
    init(_ core: RunCore, folder: String = FrontierFeeder.folder) throws(BatchFailure) {
        self.core = core
        self.folder = folder
        do throws(FileError) {
            state = Mutex(State(frontier: Frontier(try BlockFile(folder: folder))))
        } catch {
            throw Self.failure(error, folder)
        }
        do throws(SystemFailure) {
            try core.feeder.start { [self] in run() }
        } catch {
            throw BatchFailure(.resources, "can't continue to read the list: \(error)")
        }
        // A job that can't be written stays in memory; the next ``append(_:)`` throws the error.
        let failure = spill(core.beginFrontier(folder: folder))
        state.withLock { $0.failure = failure }
    }

    /// Keeps jobs until their hosts have room.
    ///
    /// If this throws, the jobs are kept, too, but the caller should stop reading.
    func append(_ jobs: [FetchJob]) throws(BatchFailure) {
        core.spill(jobs.count)
        let failure = spill(jobs)
        core.feeder.wake()
        if let failure = state.withLock({ $0.failure }) ?? failure { throw failure }
    }

    private func spill(_ jobs: [FetchJob]) -> BatchFailure? {
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

    /// Blocks until the run has all jobs or is ending. Returns the error, if any.
    func finish() -> BatchFailure? {
        state.withLock { $0.isInputEnded = true }
        core.feeder.wake()
        core.feeder.join()
        return state.withLock { $0.failure }
    }

    // MARK: The feeder's thread

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
                core.addSpilled(jobs.map { core.addingEarlierState($0) ?? $0 })
            } catch {
                return fail(error)
            }
        }
    }

    private func fail(_ damage: FrontierDamage) {
        let reason = damage.reason.map { "\($0)" } ?? "its content has changed"
        state.withLock { state in
            state.failure = BatchFailure(
                .output,
                "can't read the anonymous file of queued URLs in “\(folder)”: \(reason); set TMPDIR "
                    + "to a folder on another disk, and repeat the command"
            )
        }
        // No other thread passes on the remaining jobs.
        core.stop(cancelling: false)
    }

    private static func failure(_ error: FileError, _ folder: String) -> BatchFailure {
        var failure = BatchFailure(
            .output,
            "can't continue to read the list, because queued URLs can't be written to "
                + "“\(folder)”: \(error.reason) (errno \(error.errno)); URLs that were read before "
                + "are fetched. Free space there, or set TMPDIR to a folder with more space, and "
                + "repeat the command"
        )
        failure.systemErrno = error.errno
        return failure
    }
}
