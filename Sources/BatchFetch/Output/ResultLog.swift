import Curl
import Synchronization

/// A file with one line of JSON for each result, written on a thread of its own.
///
/// Lines are gathered for a second, or until there is enough for a write. ``close()`` writes what
/// is left, and ends the thread: a log has to be closed.
public final class ResultLog: Sendable {
    private static let enough = 256 * 1024
    private static let tooMuch = 8 * 1024 * 1024

    private struct State {
        var lines: [UInt8] = []
        var isClosing = false
        var failure: BatchFailure?
    }

    private let state = Mutex(State())
    /// Held while writing, so that lines keep their order whoever writes them.
    private let file: Mutex<FileDescriptor?>
    private let bell: Wakeup
    private let thread = Mutex<LoopThread?>(nil)
    private let path: String

    /// Makes the file, or empties it; `-` is the standard output.
    ///
    /// - Throws: ``BatchFailure`` with the code `output` if it can't be made.
    public init(path: String) throws(BatchFailure) {
        self.path = path
        do throws(FileError) {
            file = Mutex(
                path == "-"
                    ? .standardOutput
                    : try FileDescriptor.openForWriting(path, creation: .truncating)
            )
        } catch {
            throw BatchFailure(.output, "\(error): name a file that can be made")
        }
        do throws(SystemFailure) {
            bell = try Wakeup()
            try thread.withLock { thread throws(SystemFailure) in
                thread = try LoopThread(name: "batch-results") { [self] in run() }
            }
        } catch {
            throw BatchFailure(.resources, "the result log can't start: \(error)")
        }
    }

    /// Appends a line. It may be called on any thread, and blocks only if the disk has fallen
    /// megabytes behind.
    public func append(_ result: BatchResult) {
        var line: [UInt8] = []
        line.reserveCapacity(512)
        result.appendJSONLine(to: &line)
        let (isEnough, isTooMuch) = state.withLock { state in
            let before = state.lines.count
            state.lines += line
            let isEnough = before < Self.enough && state.lines.count >= Self.enough
            return (isEnough, state.lines.count > Self.tooMuch)
        }
        if isTooMuch { write() } else if isEnough { bell.signal() }
    }

    /// Why lines could not be written, if they couldn't.
    public var failure: BatchFailure? { state.withLock { $0.failure } }

    /// Writes what is left, and closes the file. Blocks until that is done.
    ///
    /// - Throws: ``BatchFailure`` with the code `output` if any line could not be written.
    public func close() throws(BatchFailure) {
        state.withLock { $0.isClosing = true }
        bell.signal()
        thread.withLock { $0.take() }?.join()
        do throws(FileError) {
            try file.withLock { $0.take() }?.close()
        } catch {
            fail(error)
        }
        if let failure { throw failure }
    }

    /// The thread: until the log is closed, or nobody can write to it any more.
    private func run() {
        while true {
            let isClosing = state.withLock { $0.isClosing }
            write()
            if isClosing { return }
            bell.wait(until: MonotonicTime.now.advanced(by: .seconds(1)))
        }
    }

    private func write() {
        do throws(FileError) {
            try file.withLock { file throws(FileError) in
                let lines = state.withLock { state in
                    let lines = state.lines
                    state.lines = []
                    return lines
                }
                if !lines.isEmpty { try file?.write(lines) }
            }
        } catch {
            fail(error)
        }
    }

    private func fail(_ error: FileError) {
        state.withLock { state in
            guard state.failure == nil else { return }
            let message = "results could not be written: \(error)"
            state.failure = BatchFailure(.output, message)
        }
    }
}
