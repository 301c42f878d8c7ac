internal import Glibc
internal import NIOCore

/// A file that is read, closed with its last reference.
final class InputFile {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw IOError(errnoCode: errno, reason: "open") }
    }

    deinit { close(descriptor) }

    /// The next part; nil: the file has ended.
    func read(_ limit: Int) throws -> ByteBuffer? {
        var part = ByteBufferAllocator().buffer(capacity: limit)
        let count = part.writeWithUnsafeMutableBytes(minimumWritableBytes: limit) { bytes in
            max(0, Glibc.read(descriptor, bytes.baseAddress, min(limit, bytes.count)))
        }
        return count > 0 ? part : nil
    }
}
