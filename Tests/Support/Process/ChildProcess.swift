internal import CTestSupport
internal import Glibc
internal import Synchronization

/// A program that runs as long as this object lives.
///
/// `stop()` ends it by its id and reaps it. It also ends if this process dies before that.
package final class ChildProcess: Sendable {
    package let id: Int32
    private let collected: Watched<[UInt8]>
    private let reader: NativeThread
    /// Closed when the program has ended: then nothing of its own follows what is in the pipe.
    private let end: Int32
    private let state: Mutex<(cleanup: CleanupProcess?, status: Int32?)>

    /// Starts a program in its own process group, with empty standard input. `folder` is removed if
    /// this process dies.
    package init(
        _ arguments: [String],
        environment: [String: String] = [:],
        directory: String? = nil,
        folder: String? = nil
    ) throws {
        let (readEnd, writeEnd) = try Self.pipe()
        let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer {
            close(null)
            close(writeEnd)
        }
        do {
            id = try Self.spawn(
                arguments,
                environment: environment,
                directory: directory,
                input: null,
                output: writeEnd,
                errors: writeEnd
            )
        } catch {
            close(readEnd)
            throw error
        }
        let collected = Watched<[UInt8]>([])
        self.collected = collected
        do {
            let cleanup = try CleanupProcess(group: id, folder: folder)
            let (ended, end) = try Self.pipe()
            self.end = end
            do {
                reader = try NativeThread(name: "child output") {
                    Self.collect(readEnd, until: ended, collected)
                }
            } catch {
                close(ended)
                close(end)
                throw error
            }
            state = Mutex((cleanup, nil))
        } catch {
            close(readEnd)
            kill(-id, SIGKILL)
            _ = ts_reap(id)
            throw error
        }
    }

    private static func pipe() throws -> (readEnd: Int32, writeEnd: Int32) {
        var ends: [Int32] = [-1, -1]
        guard ts_pipe(&ends) == 0 else { throw SystemError("pipe2") }
        return (ends[0], ends[1])
    }

    deinit { stop() }

    /// The program's standard output and error so far.
    package var output: String { collected.read { String(decoding: $0, as: UTF8.self) } }

    /// Waits until the output contains `text`.
    package func output(containing text: String) async throws -> String {
        try await collected.wait { bytes in
            let output = String(decoding: bytes, as: UTF8.self)
            return output.contains(text) ? output : nil
        }
    }

    /// Sends SIGTERM, and SIGKILL if the program hasn't ended after `patience`.
    @discardableResult
    package func stop(patience: Duration = .seconds(5)) -> Int32 {
        finish(signal: SIGTERM, patience: Int32(clamping: Int64(patience / .milliseconds(1))))
    }

    /// Waits for the program to end by itself and returns its status: 128 plus the signal that
    /// ended it.
    package func waitForEnd() -> Int32 {
        finish(signal: 0, patience: -1)
    }

    /// Waits at most `limit` for the program to end by itself, then ends it: the status is that of
    /// SIGKILL.
    package func waitForEnd(atMost limit: Duration) -> Int32 {
        finish(signal: 0, patience: Int32(clamping: Int64(limit / .milliseconds(1))))
    }

    /// Blocks until the condition holds; false when the program has ended before or the limit has
    /// passed.
    func wait(atMost limit: Duration, until condition: () throws -> Bool) rethrows -> Bool {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            if try condition() { return ts_wait_for_end(id, 0) == 0 }
            if ts_wait_for_end(id, 10) != 0 { return false }
        }
        return false
    }

    private func finish(signal: Int32, patience: Int32) -> Int32 {
        state.withLock { state in
            if let status = state.status { return status }
            if signal != 0 { kill(id, signal) }
            _ = ts_wait_for_end(id, patience)
            // The process isn't reaped yet, so the group's id is still its own.
            kill(-id, SIGKILL)
            // Ended before the id can be reused.
            state.cleanup = nil
            let status = ts_reap(id)
            close(end)
            reader.join()
            state.status = status
            return status
        }
    }

    /// Reads until all writers have closed the pipe, or the program has ended and the pipe is empty:
    /// a descendant in a process group of its own keeps it open for longer.
    private static func collect(
        _ descriptor: Int32,
        until ended: Int32,
        _ collected: Watched<[UInt8]>
    ) {
        defer {
            close(descriptor)
            close(ended)
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            var awaited = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: ended, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&awaited, 2, -1) > 0 else { continue }
            guard awaited[0].revents != 0 else { return }
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            let bytes = buffer[..<count]
            collected.update { $0 += bytes }
        }
    }

    /// Starts a program with these descriptors, in its own process group. The caller waits for it
    /// by its id.
    package static func spawn(
        _ arguments: [String],
        environment: [String: String] = [:],
        directory: String? = nil,
        input: Int32,
        output: Int32,
        errors: Int32
    ) throws -> Int32 {
        var merged = [
            "LC_ALL": "C", "HOME": "/tmp", "PATH": "/usr/bin:/usr/sbin:/bin:/sbin",
            // `.ci/run` recognises by this variable the processes that tests have left behind.
            "CURLNETWORKING_CHILD": "1",
        ]
        merged.merge(environment) { $1 }
        var arguments = arguments.map { strdup($0) } + [nil]
        var environment = merged.map { strdup("\($0)=\($1)") } + [nil]
        defer { for string in arguments + environment { free(string) } }
        let process = ts_spawn(&arguments, &environment, directory, input, output, errors)
        guard process > 0 else { throw SystemError("posix_spawn") }
        return process
    }

    /// Runs a program until it ends, or until the limit: then its status is that of SIGKILL.
    @discardableResult
    package static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        directory: String? = nil,
        atMost limit: Duration = Rounds.timeLimit
    ) throws -> (status: Int32, output: String) {
        let process = try ChildProcess(
            arguments,
            environment: environment,
            directory: directory
        )
        let status = process.waitForEnd(atMost: limit)
        return (status, process.output)
    }
}
