import Curl
import Synchronization

/// A copy of the standard input in a file, so that it can be read again.
///
/// Until it is complete it is called `NAME.part`, which another try begins anew: what is there under the
/// name itself is always the whole.
public final class Spool: Sendable {
    private static let piece = 256 * 1024

    private let path: String
    private let bell: Wakeup
    private let isEnded = Atomic(false)

    /// Nothing is read or written yet.
    ///
    /// - Throws: ``BatchFailure`` with the code `resources`.
    public init(path: String) throws(BatchFailure) {
        self.path = path
        do throws(SystemFailure) {
            bell = try Wakeup()
        } catch {
            throw BatchFailure(.resources, "standard input can't be kept: \(error)")
        }
    }

    /// Whether there is a copy already.
    package static func isFilled(_ path: String) -> Bool {
        (try? FileSystem.kind(of: path)) == .regular
    }

    /// The file's name while it isn't complete.
    package static func unfinishedPath(_ path: String) -> String { path + ".part" }

    /// Copies the standard input, unless the file is there already. Blocks until the standard input ends,
    /// or until ``end()`` is called.
    ///
    /// - Returns: Whether the copy is there; false if it was ended, and nothing is left of it.
    /// - Throws: ``BatchFailure`` with the code `output`.
    public func fill() throws(BatchFailure) -> Bool {
        do throws(FileError) {
            while true {
                if try FileSystem.kind(of: path) != nil { return true }
                let copy = try FileDescriptor.openForUpdating(Self.unfinishedPath(path))
                guard try copy.tryLock() else { throw FileError.inUse(path) }
                // A process that was being started meanwhile has inherited the lock.
                defer { copy.unlock() }
                // Whoever had the lock may have completed the copy, which is this file then.
                if try FileSystem.identity(of: copy.path) == copy.identity() {
                    return try fill(copy)
                }
            }
        } catch {
            guard !error.isInUse else {
                throw BatchFailure(
                    .output,
                    "“\(path)” is being written by another run: wait for it"
                )
            }
            throw BatchFailure(.output, "standard input can't be kept: \(error)")
        }
    }

    /// Copies the standard input into a file that is this run's, and gives it its name; false if that was
    /// ended.
    private func fill(_ copy: borrowing FileDescriptor) throws(FileError) -> Bool {
        do throws(FileError) {
            try copy.truncate(to: 0)
            try readInput(into: copy)
            // Whoever wrote the standard input may have been ended by the signal that ends this, too: what
            // is there of a list must not be taken for the whole. Known at the latest once this has waited
            // for the disk.
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

    /// Ends the copying, from any thread.
    public func end() {
        isEnded.store(true, ordering: .releasing)
        bell.signal()
    }

    private func readInput(into copy: borrowing FileDescriptor) throws(FileError) {
        let input = FileDescriptor.standardInput
        var bytes: [UInt8] = []
        while bell.wait(orReadable: input),
            try input.read(appendingTo: &bytes, upTo: Self.piece) > 0
        {
            try copy.write(bytes)
            bytes.removeAll(keepingCapacity: true)
        }
    }
}
