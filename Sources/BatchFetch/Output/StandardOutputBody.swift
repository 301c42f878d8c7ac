import Posix
import Synchronization

/// The only body, which goes to standard output.
///
/// It is written when it is complete, so that the output is the whole body, however many attempts
/// it takes.
final class StandardOutputBody: DiskBody {
    private let spool: SpooledBody
    private let isTaken: IsTaken

    /// Whether a body was written.
    final class IsTaken: Sendable {
        let value = Atomic(false)
    }

    init(folder: String, isTaken: IsTaken) {
        spool = SpooledBody(folder: folder)
        self.isTaken = isTaken
    }

    func append(_ bytes: [UInt8]) throws(BatchFailure) {
        do throws(FileError) {
            try spool.append(bytes)
        } catch {
            throw BatchFailure(.output, error)
        }
    }

    func commit() throws(BatchFailure) -> BodyEnd {
        defer { spool.drop() }
        guard !isTaken.value.exchange(true, ordering: .sequentiallyConsistent) else {
            throw BatchFailure(
                .output,
                "standard output takes only one body: name a folder for several"
            )
        }
        do throws(FileError) {
            let output = FileDescriptor.standardOutput
            try spool.read { bytes throws(FileError) in try output.write(bytes) }
        } catch {
            throw BatchFailure(.output, error)
        }
        return .dropped
    }

    func drop() {
        spool.drop()
    }
}
