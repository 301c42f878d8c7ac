import Glibc
import Testing

@testable import Curl

@Suite struct FileLockTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open() throws -> FileDescriptor {
        try FileDescriptor.openForWriting("\(folder.path)/lock", creation: .appending)
    }

    /// Whether the lock is free for a descriptor of its own, of this process too.
    private func isFree() throws -> Bool {
        let file = try open()
        guard flock(file.number, LOCK_EX | LOCK_NB) != 0 else { return true }
        #expect(errno == EWOULDBLOCK)
        return false
    }

    @Test func oneHoldsTheLockUntilItLetsGo() throws {
        let file = try open()
        #expect(try isFree())
        try file.lock()
        #expect(try !isFree())
        // Whoever holds it may ask again.
        try file.lock()
        file.unlock()
        #expect(try isFree())
        try file.write([1])
    }

    @Test func closingTheFileLetsTheLockGo() throws {
        let file = try open()
        try file.lock()
        #expect(try !isFree())
        try file.close()
        #expect(try isFree())
    }

    @Test func theReasonOfAFailureIsKept() throws {
        let file = FileDescriptor(number: -1, path: "closed")
        let error = #expect(throws: FileError.self) { try file.lock() }
        #expect(error == FileError(operation: "lock", path: "closed", errno: EBADF))
    }
}
