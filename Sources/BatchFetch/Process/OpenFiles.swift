import Curl

/// The files and sockets that the process may have open at once.
public enum OpenFiles {
    /// What is kept for the event loops, lists, results, journal and all else that a run has open beside
    /// connections and their files.
    private static let reserve = 64

    /// The least limit under which a run is begun: one connection and its file, beside all else.
    public static let minimumLimit = reserve + 2

    /// Raises the limit (`RLIMIT_NOFILE`) to what the system allows this process, and returns what
    /// it is then. It concerns the whole process: for programs, not for libraries.
    public static func raiseLimit() -> Int { OpenFileLimit.raise() }

    /// Raises the limit, and makes sure that it is high enough for a run. With less, whatever needs a
    /// descriptor first would fail, and blame something else.
    ///
    /// - Throws: ``BatchFailure/Code/resources``.
    package static func raiseLimitForRun() throws(BatchFailure) {
        let limit = raiseLimit()
        guard limit < minimumLimit else { return }
        throw BatchFailure(
            .resources,
            "the process may open \(limit) files, and needs \(minimumLimit) or more: raise the hard "
                + "limit (ulimit -Hn)"
        )
    }

    /// The most URLs that can be in flight under such a limit, with room for what else the process
    /// has open. A body that is written to a file takes a descriptor beside its socket.
    public static func maximumConcurrency(limit: Int, writesFiles: Bool) -> Int {
        let spare = max(0, limit - reserve)
        return max(1, writesFiles ? spare / 2 : spare)
    }
}
