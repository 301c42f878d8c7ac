import Glibc
import TestSupport
import Testing

@testable import Posix

/// The final names of temporary files: given, free or numbered ones.
@Suite struct TemporaryFileNamesTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func file(_ text: String, for name: String = "target") throws -> TemporaryFile {
        let file = try TemporaryFile(for: folder.path(name))
        try file.write(Array(text.utf8))
        return file
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try folder.read(name), as: UTF8.self)
    }

    @Test("A missing folder is an error with the path of the target")
    func missingFolderIsAnErrorOfTheTarget() throws {
        let path = folder.path("none/target")
        let error = #expect(throws: FileError.self) { _ = try TemporaryFile(for: path).targetPath }
        #expect(error == FileError(operation: "open", path: path, errno: ENOENT))
    }

    @Test("The fallback name is used only if the target is a folder")
    func fallbackReplacesAFolder() throws {
        try FileSystem.makeDirectory(folder.path("target"))
        #expect(try file("one").commit(fallback: folder.path("other")) == folder.path("other"))
        #expect(try text("other") == "one")
        #expect(try file("two", for: "free").commit(fallback: "never used") == folder.path("free"))
        #expect(try folder.contents() == ["free", "other", "target"])
    }

    @Test("A fallback that is a folder, too, is an error and leaves no file")
    func folderAsFallbackIsAnError() throws {
        for name in ["target", "other"] { try FileSystem.makeDirectory(folder.path(name)) }
        let error = #expect(throws: FileError.self) {
            _ = try file("x").commit(fallback: folder.path("other"))
        }
        #expect(error?.path == folder.path("other"))
        #expect(error?.isNameTaken == true)
        #expect(try folder.contents() == ["other", "target"])
    }

    @Test("The first free name is used, and folders and dangling links are skipped")
    func firstFreeNameIsTaken() throws {
        try FileSystem.makeDirectory(folder.path("folder"))
        #expect(symlink("missing", folder.path("link")) == 0)
        let paths = ["folder", "link", "free", "never"].map { folder.path($0) }
        #expect(try file("x").commit(exclusivelyAs: paths) == folder.path("free"))
        #expect(try text("free") == "x")
        #expect(try folder.contents() == ["folder", "free", "link"])
    }

    @Test("If a name of the list is an existing file, the error has its path")
    func existingFileEndsTheSearch() throws {
        try FileSystem.makeDirectory(folder.path("folder"))
        try folder.write("old", to: "file")
        let paths = ["folder", "file", "free"].map { folder.path($0) }
        let error = #expect(throws: FileError.self) {
            _ = try file("new").commit(exclusivelyAs: paths)
        }
        #expect(error == FileError(operation: "rename to", path: paths[1], errno: EEXIST))
        #expect(try text("file") == "old")
        #expect(try folder.contents() == ["file", "folder"])
    }

    @Test("Without a free name, the error has the last name, and the file is removed")
    func missingFreeNameIsAnError() throws {
        try FileSystem.makeDirectory(folder.path("folder"))
        let taken = #expect(throws: FileError.self) {
            _ = try file("x").commit(exclusivelyAs: [folder.path("folder")])
        }
        #expect(taken?.path == folder.path("folder") && taken?.errno == EISDIR)
        let none = #expect(throws: FileError.self) { _ = try file("x").commit(exclusivelyAs: []) }
        #expect(none?.path == folder.path("target") && none?.isExistingFile == true)
        let missing = #expect(throws: FileError.self) {
            _ = try file("x").commit(exclusivelyAs: [folder.path("none/x"), folder.path("free")])
        }
        #expect(missing?.isMissingFile == true)
        #expect(try folder.contents() == ["folder"])
    }

    @Test(
        "The number after those in use is chosen",
        arguments: [0, 1, 2, 3, 4, 5, 7, 8, 9, 31]
    )
    func numberAfterTheTakenOnesIsUsed(taken: Int) throws {
        for number in 0..<taken { try folder.write("old", to: "part-\(number)") }
        let name = try file("new").commit { folder.path("part-\($0)") }
        #expect(name == folder.path("part-\(taken)"))
        #expect(try text("part-\(taken)") == "new")
        #expect(try folder.contents().count == taken + 1)
    }

    @Test("Concurrent files get different numbers without gaps")
    func concurrentFilesGetDifferentNumbers() async throws {
        let path: String = folder.path
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    try await NativeThread.run {
                        let file = try TemporaryFile(for: "\(path)/target")
                        try file.write([UInt8(thread)])
                        return try file.commit { "\(path)/part-\($0)" }
                    }
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(names == Set((0..<8).map { "\(path)/part-\($0)" }))
        let bytes = try (0..<8).flatMap { try folder.read("part-\($0)") }
        #expect(bytes.sorted() == Array(0..<8))
    }

    @Test("An adopted file is renamed on commit, and removed without it")
    func adoptedFileIsRenamedOrRemoved() throws {
        let first = try folder.write("one", to: "first")
        try TemporaryFile(adopting: first, for: folder.path("target")).commit()
        #expect(try folder.contents() == ["target"])
        let second = try folder.write("two", to: "second")
        do {
            let file = try TemporaryFile(adopting: second, for: folder.path("target"))
            #expect(file.temporaryPath == second && file.targetPath == folder.path("target"))
        }
        #expect(try folder.contents() == ["target"])
        #expect(try text("target") == "one")
        let error = #expect(throws: FileError.self) {
            _ = try TemporaryFile(adopting: second, for: folder.path("x")).targetPath
        }
        #expect(error?.isMissingFile == true && error?.path == second)
    }

    @Test("A symbolic link isn't overwritten by a file with a given name")
    func linkIsNotOverwritten() throws {
        try folder.write("precious", to: "file")
        #expect(symlink("file", folder.path(".known")) == 0)
        let error = #expect(throws: FileError.self) {
            _ = try TemporaryFile(for: folder.path("target"), named: ".known").targetPath
        }
        #expect(error?.errno == ELOOP)
        #expect(try text("file") == "precious")
    }

    @Test("The file's content is stored before its name on request")
    func contentIsStoredOnRequest() throws {
        let file = try self.file("x")
        try file.synchronize()
        try file.commit(replacing: false, synchronizing: true)
        #expect(try text("target") == "x")
    }
}
