import Glibc
import TestSupport
import Testing

@testable import Posix

@Suite struct FileLockTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func open() throws -> FileDescriptor {
        try FileDescriptor.openForWriting("\(folder.path)/lock", creation: .appending)
    }

    /// Whether another descriptor can take the lock; one of the same process counts too.
    private func isFree() throws -> Bool {
        let file = try open()
        guard flock(file.number, LOCK_EX | LOCK_NB) != 0 else { return true }
        #expect(errno == EWOULDBLOCK)
        return false
    }

    @Test func lockIsHeldUntilReleased() throws {
        let file = try open()
        #expect(try isFree())
        try file.lock()
        #expect(try !isFree())
        // The holder may lock again.
        try file.lock()
        file.unlock()
        #expect(try isFree())
        try file.write([1])
    }

    @Test func closingFileReleasesLock() throws {
        let file = try open()
        try file.lock()
        #expect(try !isFree())
        try file.close()
        // `lock` waits: a child that another test is starting holds a copy of the descriptor until
        // its exec.
        try open().lock()
    }

    @Test func lockFailureHasItsReason() throws {
        let file = FileDescriptor(number: -1, path: "closed")
        let error = #expect(throws: FileError.self) { try file.lock() }
        #expect(error == FileError(operation: "lock", path: "closed", errno: EBADF))
    }
}
