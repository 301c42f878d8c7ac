import Posix
import Synchronization

/// A body with a file of its own. The file gets its name when it is complete.
final class NamedFile: DiskBody {
    /// Used only by the disk threads, one at a time. The lock is never contended.
    private let file = Mutex<TemporaryFile?>(nil)
    private let placement: FilePlacement

    init(_ placement: FilePlacement) {
        self.placement = placement
    }

    func append(_ bytes: [UInt8]) throws(BatchFailure) {
        do throws(FileError) {
            try file.withLock { file throws(FileError) in
                if file == nil { file = try placement.open() }
                try file?.write(bytes)
            }
        } catch {
            throw BatchFailure(.output, error)
        }
    }

    func drop() {
        file.withLock { $0 = nil }
    }

    func commit() throws(BatchFailure) -> BodyEnd {
        do throws(FileError) {
            let file = try file.withLock { file throws(FileError) in
                if file == nil { file = try placement.open() }
                return file.take()
            }
            guard let file else { return .dropped }
            return try placement.place(file)
        } catch {
            throw BatchFailure(.output, error)
        }
    }
}
