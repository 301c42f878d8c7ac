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
        /// Why jobs can't be written any more; they are kept in memory.
        var writeFailure: BatchFailure?
        /// Why jobs can't be read.
        var failure: BatchFailure?
    }

    /// Shared by the reader's thread and the feeder's own.
    private let state: Mutex<State>
    private let core: RunCore
    private let folder: String

    /// Creates the file and starts the thread. Takes the jobs that exceed their host's share.
    ///
    /// - Throws: ``BatchFailure`` if the file or the thread can't be created.
    init(_ core: RunCore, folder: String = SpooledBody.temporaryFolder) throws(BatchFailure) {
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
            throw BatchFailure(.resources, "queued URLs can't be spilled to disk: \(error)")
        }
        spill(core.beginFrontier(folder: folder))
    }

    /// Keeps jobs until their hosts have room.
    ///
    /// Jobs that can't be written are kept in memory: see ``writeFailure``.
    func append(_ jobs: [FetchJob]) {
        core.spill(jobs.count)
        spill(jobs)
        core.feeder.wake()
    }

    /// Why jobs can't be written any more, if so. Then the caller must add no more jobs.
    var writeFailure: BatchFailure? { state.withLock { $0.writeFailure } }

    private func spill(_ jobs: [FetchJob]) {
        state.withLock { state in
            for job in jobs {
                do throws(FileError) {
                    try state.frontier.append(job)
                } catch {
                    let failure = Self.failure(error, folder)
                    state.writeFailure = state.writeFailure ?? failure
                }
            }
        }
    }

    /// Blocks until the run has all jobs or is ending. Returns why they can't be read, if so.
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
            "queued URLs can't be written to “\(folder)”: \(error.reason) (errno \(error.errno)); "
                + "the list is read only as fast as its slow hosts answer. To fetch URLs of other "
                + "hosts meanwhile, free space there, or set TMPDIR to a folder with more space"
        )
        failure.systemErrno = error.errno
        return failure
    }
}
