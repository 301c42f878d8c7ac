internal import CTestSupport
internal import Glibc
internal import Synchronization

/// A small shell that cleans up when this process ends, however it ends.
///
/// It then ends a process group and removes a folder. It notices the end by a pipe that only this
/// process holds open.
package final class CleanupProcess: Sendable {
    private let process: pid_t
    private let pipe: Mutex<Int32>

    /// Watches over a process group, a folder, or both.
    package init(group: Int32?, folder: String?) throws {
        var ends: [Int32] = [-1, -1]
        guard ts_pipe(&ends) == 0 else { throw SystemError("pipe2") }
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer {
            close(ends[0])
            close(null)
        }
        let script =
            "read _; if [ \"$0\" != 0 ]; then kill -s KILL -- \"-$0\"; fi; "
            + "if [ -n \"$1\" ]; then rm -rf -- \"$1\"; fi"
        pipe = Mutex(ends[1])
        process = try ChildProcess.spawn(
            ["/bin/sh", "-c", script, String(group ?? 0), folder ?? ""],
            input: ends[0],
            output: null,
            errors: null
        )
    }

    /// Ends the shell before it cleans up.
    deinit {
        kill(process, SIGKILL)
        ts_reap(process)
        closePipe()
    }

    package func waitForEnd() { _ = ts_wait_for_end(process, -1) }

    /// Closes the pipe, as the end of this process does.
    package func closePipe() {
        pipe.withLock { pipe in
            if pipe >= 0 { close(pipe) }
            pipe = -1
        }
    }
}
