import TestSupport
import Testing

@testable import Posix

@Suite struct FileIdentityTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test func fileIdentityIsIndependentOfName() throws {
        let (one, two) = ("\(folder.path)/one", "\(folder.path)/two")
        #expect(try FileSystem.identity(of: one) == nil)
        #expect(try FileSystem.identity(of: one + "/below") == nil)
        let file = try FileDescriptor.openForWriting(one, creation: .exclusive)
        let identity = try file.identity()
        #expect(try FileSystem.identity(of: one) == identity)
        try FileSystem.rename(one, to: two)
        #expect(try FileSystem.identity(of: two) == identity)
        try FileDescriptor.openForWriting(one, creation: .exclusive).close()
        #expect(try FileSystem.identity(of: one) != identity)
    }

    @Test func fileIsTruncated() throws {
        let file = try FileDescriptor.openForWriting("\(folder.path)/file", creation: .appending)
        try file.write([1, 2, 3])
        try file.truncate(to: 1)
        #expect(try file.size() == 1)
        try file.write([4])
        #expect(try folder.read("file") == [1, 4])
    }

    @Test func directoryIsSynchronized() throws {
        try FileSystem.synchronizeDirectory(folder.path)
        try FileSystem.synchronizeName("\(folder.path)/any")
        let error = #expect(throws: FileError.self) {
            try FileSystem.synchronizeDirectory("\(folder.path)/none")
        }
        #expect(error?.isMissingFile == true)
    }

    @Test func tryLockDoesNotWait() throws {
        let path = "\(folder.path)/lock"
        let one = try FileDescriptor.openForWriting(path, creation: .appending)
        let two = try FileDescriptor.openForWriting(path, creation: .appending)
        #expect(try one.tryLock())
        #expect(try !two.tryLock())
        one.unlock()
        #expect(try two.tryLock())
    }
}
