internal import Curl

/// A file that is a request's body, open for as long as the transfer may have to read it.
struct FileBody: Sendable {
    /// Its size in bytes when it was opened.
    let size: Int64

    private let file: OpenFile

    /// How much is read at a time.
    private static let chunk = 256 * 1024

    init(path: String) throws(TransportError) {
        do {
            // Opening a pipe would wait for its other end.
            guard try FileSystem.kind(of: path) != .other else {
                throw TransportError.requestBodyFailed("\(path) is no regular file")
            }
            file = try OpenFile(reading: path)
            size = try file.descriptor.size()
        } catch let error as TransportError {
            throw error
        } catch {
            throw .requestBodyFailed("the file to upload can't be read: \(error)")
        }
    }

    /// Reads the file from its start, one chunk at a time, on `worker`.
    func stream(on worker: BlockingWorker) -> RequestStream {
        RequestStream(length: size, isRestartable: true) { [file, size] in
            FileChunks(file: file, size: size, chunk: Self.chunk, worker: worker)
        }
    }
}

/// Keeps a descriptor open for several readers, one after the other.
final class OpenFile: Sendable {
    let descriptor: FileDescriptor

    init(reading path: String) throws(FileError) {
        descriptor = try FileDescriptor.openForReading(path)
    }
}

/// The bytes of an open file, in chunks that a worker thread reads.
struct FileChunks: AsyncSequence, Sendable {
    let file: OpenFile
    let size: Int64
    let chunk: Int
    let worker: BlockingWorker

    struct AsyncIterator: AsyncIteratorProtocol {
        let chunks: FileChunks
        var offset: Int64 = 0

        mutating func next() async throws -> [UInt8]? {
            guard offset < chunks.size else { return nil }
            let start = offset
            let count = Int(Swift.min(Int64(chunks.chunk), chunks.size - start))
            let file = chunks.file
            let bytes = try await chunks.worker.run {
                try file.descriptor.bytes(at: start, upTo: count)
            }
            guard !bytes.isEmpty else { return nil }
            offset += Int64(bytes.count)
            return bytes
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(chunks: self)
    }
}
