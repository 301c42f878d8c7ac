import Posix
import Synchronization

/// Copies standard input to a file, to read it again.
///
/// The copy is called `NAME.part` until it is complete, and a new attempt starts it from the
/// beginning. So a file with the final name is always complete. It has the mode 0600, because URLs
/// may contain passwords.
public final class Spool: Sendable {
    private static let piece = 256 * 1024

    private let path: String
    private let wakeup: Wakeup
    private let isEnded = Atomic(false)

    /// Creates a spool, without reading or writing anything.
    ///
    /// - Throws: ``BatchFailure`` with the code `resources`.
    public init(path: String) throws(BatchFailure) {
        self.path = path
        do throws(SystemFailure) {
            wakeup = try Wakeup()
        } catch {
            throw BatchFailure(.resources, "can't copy standard input: \(error)")
        }
    }

    /// Whether a complete copy exists.
    package static func isFilled(_ path: String) -> Bool {
        (try? FileSystem.kind(of: path)) == .regular
    }

    /// Returns the name of an incomplete copy.
    package static func unfinishedPath(_ path: String) -> String { path + ".part" }

    /// Copies standard input, unless the file exists.
    ///
    /// Blocks until standard input ends, or until ``end()`` is called.
    ///
    /// - Returns: True if the copy is complete; false if ``end()`` was called. Then no file
    ///   remains.
    /// - Throws: ``BatchFailure`` with the code `output`.
    public func fill() throws(BatchFailure) -> Bool {
        do throws(FileError) {
            while true {
                if try FileSystem.kind(of: path) != nil { return true }
                // Following a link would let another user redirect the copy to a different file.
                let copy = try FileDescriptor.openForUpdating(
                    Self.unfinishedPath(path),
                    mode: 0o600,
                    followsLinks: false
                )
                guard try copy.tryLock() else { throw FileError.inUse(path) }
                // A child process that was started meanwhile has inherited the lock.
                defer { copy.unlock() }
                // Another run that held the lock may have completed this file and renamed it.
                if try FileSystem.identity(of: copy.path) == copy.identity() {
                    return try fill(copy)
                }
            }
        } catch {
            guard !error.isInUse else {
                throw BatchFailure(
                    .output,
                    "“\(path)” is being written by another run: wait until it ends"
                )
            }
            throw BatchFailure(.output, "can't copy standard input: \(error)")
        }
    }

    /// Copies standard input to a locked file and renames it. Returns false if ``end()`` was
    /// called.
    private func fill(_ copy: borrowing FileDescriptor) throws(FileError) -> Bool {
        do throws(FileError) {
            try copy.truncate(to: 0)
            try readInput(into: copy)
            // The signal that ends this process may also have ended the writer of standard input.
            // Then the list is incomplete and must not get the final name. The signal has arrived
            // at the latest when the disk sync is finished.
            try copy.synchronize()
            guard isEnded.load(ordering: .acquiring) else {
                try FileSystem.rename(copy.path, to: path)
                return true
            }
            try FileSystem.remove(copy.path)
            return false
        } catch {
            try? FileSystem.remove(copy.path)
            throw error
        }
    }

    /// Stops the copying. May be called on any thread.
    public func end() {
        isEnded.store(true, ordering: .releasing)
        wakeup.signal()
    }

    private func readInput(into copy: borrowing FileDescriptor) throws(FileError) {
        let input = FileDescriptor.standardInput
        var bytes: [UInt8] = []
        while wakeup.wait(orReadable: input),
            try input.read(appendingTo: &bytes, upTo: Self.piece) > 0
        {
            try copy.write(bytes)
            bytes.removeAll(keepingCapacity: true)
        }
    }
}
