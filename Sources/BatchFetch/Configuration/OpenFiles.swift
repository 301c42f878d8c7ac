import Posix

/// The limit of open files and sockets of the process.
public enum OpenFiles {
    /// Descriptors reserved for other purposes than connections and their files.
    ///
    /// These are event loops, lists, results, the journal and everything else that a run has open.
    private static let reserve = 64

    /// The lowest limit for a run: the reserve, one connection and its file.
    public static let minimumLimit = reserve + 2

    /// Raises the limit (`RLIMIT_NOFILE`) to the system's maximum, and returns it.
    ///
    /// This affects the whole process: call it from programs, not from libraries.
    public static func raiseLimit() -> Int { OpenFileLimit.raise() }

    /// Raises the limit and checks that it suffices for a run.
    ///
    /// With a lower limit, the first call that needs a descriptor would fail with a misleading
    /// error.
    ///
    /// - Throws: ``BatchFailure/Code/resources``.
    package static func raiseLimitForRun() throws(BatchFailure) {
        let limit = raiseLimit()
        guard limit < minimumLimit else { return }
        throw BatchFailure(
            .resources,
            "the process may open only \(limit) files, and needs at least \(minimumLimit): raise "
                + "the hard limit (ulimit -Hn)"
        )
    }

    /// The maximum number of URLs in flight under such a limit.
    ///
    /// It leaves room for the process's other descriptors. A body that is written to a file takes
    /// one descriptor in addition to its socket.
    public static func maximumConcurrency(limit: Int, writesFiles: Bool) -> Int {
        let spare = max(0, limit - reserve)
        return max(1, writesFiles ? spare / 2 : spare)
    }
}
