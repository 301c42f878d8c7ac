internal import Posix
internal import TestSupport
internal import Testing

/// The file system operations of a journal.
@Suite struct JournalFileTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test("S-02: A rename never uses a second link, which some file systems don't support")
    func renameNeverUsesASecondLink() throws {
        let (old, new) = (folder.path("old"), folder.path("new"))
        // A folder can't have a second link on any file system.
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

    @Test("S-02: Created folders are reported, so that they can be synchronized")
    func createdFoldersAreReported() throws {
        var made: [String] = []
        for path in ["a/b", "a/b", "a/b/c"] {
            try FileSystem.makeDirectory(folder.path(path)) { path throws(FileError) in
                made.append(path)
            }
        }
        #expect(made == ["a", "a/b", "a/b/c"].map { folder.path($0) })
    }
}
