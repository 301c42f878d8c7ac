internal import Curl
internal import TestSupport
internal import Testing

/// What a journal asks of a file system.
@Suite struct JournalFileTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test("S-02: what is moved never has two names, which some file systems don't have")
    func whatIsMovedNeverHasTwoNames() throws {
        let (old, new) = (folder.path("old"), folder.path("new"))
        // A folder can have no second name anywhere.
        try FileSystem.makeDirectory(old)
        try FileSystem.renameExclusively(old, to: new)
        #expect(try folder.contents() == ["new"])
        try FileSystem.makeDirectory(old)
        let error = #expect(throws: FileError.self) {
            try FileSystem.renameExclusively(old, to: new)
        }
        #expect(error?.isExistingFile == true)
        #expect(try folder.contents().sorted() == ["new", "old"])
    }

    @Test("S-02: of folders that were made is told, so that they can be made durable")
    func ofFoldersThatWereMadeIsTold() throws {
        var made: [String] = []
        for path in ["a/b", "a/b", "a/b/c"] {
            try FileSystem.makeDirectory(folder.path(path)) { path throws(FileError) in
                made.append(path)
            }
        }
        #expect(made == ["a", "a/b", "a/b/c"].map { folder.path($0) })
    }
}
