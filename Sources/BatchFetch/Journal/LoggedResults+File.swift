import Curl

extension LoggedResults {
    private static let chunk = 1 << 20

    /// Reads results from where a file is to its end. Blocks.
    ///
    /// - Parameter take: Is told each line and where it begins, in bytes from there.
    /// - Throws: ``BatchFailure/Code/input`` if they can't be read, or are no results.
    static func read(
        _ file: borrowing FileDescriptor,
        _ take: (_ line: LoggedResult, _ offset: Int64) -> Void
    ) throws(BatchFailure) {
        var lines = LoggedResults()
        do throws(FileError) {
            var bytes: [UInt8] = []
            while !lines.hasForeignLine, try file.read(appendingTo: &bytes, upTo: chunk) > 0 {
                lines.read(bytes, take)
                bytes.removeAll(keepingCapacity: true)
            }
        } catch {
            throw unreadable(error)
        }
        guard !lines.hasForeignLine else {
            throw BatchFailure(
                .input,
                "“\(file.path)” has lines that are no results: name those of an earlier run, not "
                    + "compressed"
            )
        }
    }

    /// Opens results.
    static func open(_ path: String) throws(BatchFailure) -> FileDescriptor {
        do throws(FileError) {
            return try .openForReading(path)
        } catch {
            throw unreadable(error)
        }
    }

    private static func unreadable(_ error: FileError) -> BatchFailure {
        BatchFailure(.input, "\(error): name the results of an earlier run")
    }
}
