import Testing

@testable import Curl

@Suite struct FileIdentityTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func aFileIsTheSameByAnyName() throws {
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

    @Test func aFileIsCutOff() throws {
        let file = try FileDescriptor.openForWriting("\(folder.path)/file", creation: .appending)
        try file.write([1, 2, 3])
        try file.truncate(to: 1)
        #expect(try file.size() == 1)
        try file.write([4])
        #expect(try folder.contents(of: "file") == [1, 4])
    }

    @Test func aFoldersNamesAreMadeDurable() throws {
        try FileSystem.synchronizeDirectory(folder.path)
        try FileSystem.synchronizeName("\(folder.path)/any")
        let error = #expect(throws: FileError.self) {
            try FileSystem.synchronizeDirectory("\(folder.path)/none")
        }
        #expect(error?.isMissingFile == true)
    }

    @Test func aLockThatIsTakenIsNotWaitedFor() throws {
        let path = "\(folder.path)/lock"
        let one = try FileDescriptor.openForWriting(path, creation: .appending)
        let two = try FileDescriptor.openForWriting(path, creation: .appending)
        #expect(try one.tryLock())
        #expect(try !two.tryLock())
        one.unlock()
        #expect(try two.tryLock())
    }
}
