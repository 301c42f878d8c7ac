internal import Glibc
internal import LoadSupport
internal import NIOCore

/// A file that is written, closed with its last reference.
final class OutputFile {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        if descriptor < 0 { throw IOError(errnoCode: errno, reason: "open") }
    }

    deinit { close(descriptor) }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        guard load_write(descriptor, bytes.baseAddress, bytes.count) else {
            throw IOError(errnoCode: errno, reason: "write")
        }
    }
}
