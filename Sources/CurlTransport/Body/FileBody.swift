internal import Posix

/// A file that is a request's body, kept open for the whole transfer.
struct FileBody: Sendable {
    /// The offset in the file at which the body begins.
    let start: Int64
    /// The number of bytes from `start` to the file's end, when it was opened.
    let size: Int64

    let file: OpenFile
    /// Runs the reads that may wait for a disk.
    let worker: BlockingWorker

    init(
        path: String,
        from start: Int64 = 0,
        worker: BlockingWorker
    ) throws(TransportError) {
        do {
            // Opening a pipe would wait until its other end is opened.
            guard try FileSystem.kind(of: path) != .other else {
                throw TransportError.requestBodyFailed("\(path) is no regular file")
            }
            file = try OpenFile(reading: path)
            let whole = try file.descriptor.size()
            guard start >= 0, start <= whole else {
                throw TransportError.requestBodyFailed(
                    "\(path) has \(whole) bytes, and is to be sent from byte \(start) on"
                )
            }
            self.start = start
            size = whole - start
        } catch let error as TransportError {
            throw error
        } catch {
            throw .requestBodyFailed("the file to upload can't be read: \(error)")
        }
        self.worker = worker
    }
}

/// Keeps a file descriptor open for several readers.
final class OpenFile: Sendable {
    let descriptor: FileDescriptor
    let isInMemory: Bool

    init(reading path: String) throws(FileError) {
        descriptor = try FileDescriptor.openForReading(path)
        isInMemory = descriptor.isInMemory
    }
}
