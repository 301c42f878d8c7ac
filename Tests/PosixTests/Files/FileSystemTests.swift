import Glibc
import TestSupport
import Testing

@testable import Posix

/// Operations on files by path.
@Suite struct FileSystemTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test("The type of a link is that of its target, unless links aren't followed")
    func linkHasTheTypeOfItsTarget() throws {
        let file = try folder.write("x", to: "file")
        let (link, dangling) = (folder.path("link"), folder.path("dangling"))
        #expect(symlink(file, link) == 0 && symlink("missing", dangling) == 0)
        #expect(try FileSystem.kind(of: link) == .regular)
        #expect(try FileSystem.plainKind(of: link) == .other)
        #expect(try FileSystem.kind(of: dangling) == nil)
        #expect(try FileSystem.plainKind(of: dangling) == .other)
        #expect(try FileSystem.kind(of: folder.path) == .directory)
        #expect(try FileSystem.plainKind(of: folder.path) == .directory)
        #expect(try FileSystem.plainKind(of: folder.path("missing")) == nil)
        #expect(try FileSystem.kind(of: "/dev/null") == .other)
    }

    @Test("A path below a file or through a loop of links is an error, not a missing file")
    func impossiblePathIsAnError() throws {
        let below = try folder.write("x", to: "file") + "/below"
        #expect(symlink("loop", folder.path("loop")) == 0)
        for (path, errno) in [(below, ENOTDIR), (folder.path("loop"), ELOOP)] {
            let expected = FileError(operation: "examine", path: path, errno: errno)
            #expect(try fileError { _ = try FileSystem.kind(of: path) } == expected)
            #expect(try fileError { _ = try FileSystem.permissions(of: path) } == expected)
        }
        #expect(try fileError { _ = try FileSystem.plainKind(of: below) }.errno == ENOTDIR)
        #expect(try FileSystem.plainKind(of: folder.path("loop")) == .other)
    }

    @Test("Only the nine bits of the permissions are returned")
    func permissionsAreNineBits() throws {
        let file = try folder.write("x", to: "file")
        for mode: UInt32 in [0o000, 0o400, 0o644, 0o777, 0o4755, 0o1700] {
            #expect(chmod(file, mode) == 0)
            #expect(try FileSystem.permissions(of: file) == mode & 0o777)
        }
        #expect(try FileSystem.permissions(of: folder.path("missing")) == nil)
    }

    @Test("Missing folders are created from the outermost one, and each is reported once")
    func createdFoldersAreReportedInOrder() throws {
        var made: [String] = []
        let path = folder.path("a/b/c")
        try FileSystem.makeDirectory(path) { (name: String) throws(FileError) in made.append(name) }
        #expect(made == [folder.path("a"), folder.path("a/b"), path])
        made = []
        try FileSystem.makeParent(of: path + "/d/file") { (name: String) throws(FileError) in
            made.append(name)
        }
        #expect(made == [path + "/d"])
        try FileSystem.makeDirectory(path) { (name: String) throws(FileError) in
            made.append(name)
        }
        #expect(made.count == 1, "an existing folder isn't created")
        #expect(try FileSystem.kind(of: path + "/d/file") == nil)
    }

    @Test("If the caller's closure throws, no more folders are created")
    func callersErrorEndsTheCreation() throws {
        let error = try fileError {
            try FileSystem.makeDirectory(folder.path("a/b/c")) { (name: String) throws(FileError) in
                guard !name.hasSuffix("b") else { throw FileError.inUse(name) }
            }
        }
        #expect(error == .inUse(folder.path("a/b")))
        #expect(try FileSystem.kind(of: folder.path("a/b")) == .directory)
        #expect(try FileSystem.kind(of: folder.path("a/b/c")) == nil)
    }

    @Test("No folder is created for a relative name without one")
    func relativeNameNeedsNoParent() throws {
        try FileSystem.makeParent(of: "name") { (name: String) throws(FileError) in
            Issue.record("\(name) was created")
        }
        let error = try fileError { try FileSystem.makeDirectory("") }
        #expect(error == FileError(operation: "create folder", path: "", errno: ENOENT))
    }

    @Test(
        "The parent of a path is the part before its last name",
        arguments: [
            ("/a/b", "/a"), ("/a/b/", "/a"), ("/a//b", "/a/"), ("a/b", "a"), ("/a", nil),
            ("a", nil), ("/", nil), ("//", nil), ("", nil), ("é/ü", "é"), ("./a", "."),
        ] as [(String, String?)]
    )
    func parentIsBeforeTheLastName(path: String, parent: String?) {
        #expect(FileSystem.parent(of: path) == parent)
    }

    @Test("A rename replaces a file; an exclusive rename keeps both")
    func onlyPlainRenameReplaces() throws {
        let (old, new) = (try folder.write("old", to: "old"), try folder.write("new", to: "new"))
        #expect(
            try fileError { try FileSystem.renameExclusively(old, to: new) }
                == FileError(operation: "rename to", path: new, errno: EEXIST)
        )
        #expect(try folder.contents() == ["new", "old"])
        try FileSystem.rename(old, to: new)
        #expect(try folder.contents() == ["new"])
        #expect(try folder.read("new") == Array("old".utf8))
        try FileSystem.renameExclusively(new, to: old)
        #expect(try folder.contents() == ["old"])
    }

    @Test("A rename's error names the new path")
    func renameErrorNamesTheNewPath() throws {
        let (missing, new) = (folder.path("missing"), folder.path("new"))
        let expected = FileError(operation: "rename to", path: new, errno: ENOENT)
        #expect(try fileError { try FileSystem.rename(missing, to: new) } == expected)
        #expect(try fileError { try FileSystem.renameExclusively(missing, to: new) } == expected)
        let file = try folder.write("x", to: "file")
        #expect(try fileError { try FileSystem.rename(file, to: folder.path) }.isNameTaken)
    }

    @Test("Removing what is missing succeeds; removing another kind of file is an error")
    func removalDependsOnTheKind() throws {
        try FileSystem.remove(folder.path("missing"))
        try FileSystem.removeDirectory(folder.path("missing"))
        try FileSystem.makeDirectory(folder.path("a/b"))
        let file = try folder.write("x", to: "file")
        #expect(
            try fileError { try FileSystem.remove(folder.path("a")) }
                == FileError(operation: "remove", path: folder.path("a"), errno: EISDIR)
        )
        let full = try fileError { try FileSystem.removeDirectory(folder.path("a")) }
        #expect(full.isNameTaken && full.operation == "remove")
        #expect(try fileError { try FileSystem.removeDirectory(file) }.errno == ENOTDIR)
        try FileSystem.removeDirectory(folder.path("a/b"))
        try FileSystem.removeDirectory(folder.path("a"))
        try FileSystem.remove(file)
        #expect(try folder.contents() == [])
    }

    @Test("A path with a NUL is an error of every operation, which names it")
    func pathWithNULIsAnErrorOfEveryOperation() throws {
        // C would take the part before the NUL for the path: an existing file.
        let file = try folder.write("x", to: "file")
        let path = file + "\0x"
        let operations: [(String, () throws -> Void)] = [
            ("examine", { _ = try FileSystem.kind(of: path) }),
            ("examine", { _ = try FileSystem.plainKind(of: path) }),
            ("examine", { _ = try FileSystem.permissions(of: path) }),
            ("examine", { _ = try FileSystem.identity(of: path) }),
            ("create folder", { try FileSystem.makeDirectory(path) }),
            ("rename to", { try FileSystem.rename(file, to: path) }),
            (
                "rename to",
                { try FileSystem.renameExclusively(file, to: path) }
            ),
            ("remove", { try FileSystem.remove(path) }),
            ("remove", { try FileSystem.removeDirectory(path) }),
            ("synchronize", { try FileSystem.synchronizeDirectory(path) }),
        ]
        for (name, operation) in operations {
            let expected = FileError(operation: name, path: path, errno: EINVAL)
            #expect(try fileError(operation) == expected)
        }
        #expect(FileSystem.place(of: path) == nil)
        #expect(FileSystem.version(of: path) == nil)
        #expect(try folder.contents() == ["file"])
    }

    @Test("Concurrent creations of the same folders all succeed")
    func concurrentCreationsSucceed() async throws {
        let path = folder.path("a/b/c/d/e")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await NativeThread.run { try FileSystem.makeDirectory(path) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try FileSystem.kind(of: path) == .directory)
    }
}
