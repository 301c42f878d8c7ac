internal import Curl

/// A file that is a request's body, open for as long as the transfer may have to read it.
struct FileBody: Sendable {
    /// Where the body begins in it.
    let start: Int64
    /// How many bytes there were from there on when it was opened.
    let size: Int64

    let file: OpenFile
    /// Where reading may wait for a disk.
    let worker: BlockingWorker

    init(
        path: String,
        from start: Int64 = 0,
        worker: BlockingWorker
    ) throws(TransportError) {
        do {
            // Opening a pipe would wait for its other end.
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

/// Keeps a descriptor open for several readers.
final class OpenFile: Sendable {
    let descriptor: FileDescriptor
    let isInMemory: Bool

    init(reading path: String) throws(FileError) {
        descriptor = try FileDescriptor.openForReading(path)
        isInMemory = descriptor.isInMemory
    }
}
