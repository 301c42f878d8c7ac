internal import Glibc
internal import NIOCore

/// A file, read in parts as they are asked for.
struct FileParts: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
        let path: String
        private var file: InputFile?

        init(path: String) { self.path = path }

        mutating func next() async throws -> ByteBuffer? {
            let file = try self.file ?? InputFile(path)
            self.file = file
            return try file.read(512 * 1024)
        }
    }

    let path: String

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(path: path) }
}
