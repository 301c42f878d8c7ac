import Curl

/// The files and sockets that the process may have open at once.
public enum OpenFiles {
    /// Raises the limit (`RLIMIT_NOFILE`) to what the system allows this process, and returns what
    /// it is then. It concerns the whole process: for programs, not for libraries.
    public static func raiseLimit() -> Int { OpenFileLimit.raise() }

    /// The most URLs that can be in flight under such a limit, with room for what else the process
    /// has open. A body that is written to a file takes a descriptor beside its socket.
    public static func maximumConcurrency(limit: Int, writesFiles: Bool) -> Int {
        let spare = max(0, limit - 64)
        return max(1, writesFiles ? spare / 2 : spare)
    }
}
