import Glibc
import TestSupport
import Testing

@testable import Posix

/// Whether a file has changed since it was last read.
@Suite struct FileVersionTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// Sets the times of a file, so that no test depends on the kernel's clock.
    private func touch(_ path: String, seconds: Int, nanoseconds: Int = 0) {
        let time = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
        #expect(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    }

    @Test("An unchanged file keeps its version, also under another name")
    func unchangedFileKeepsItsVersion() throws {
        let path = try folder.write("x", to: "file")
        let version = try #require(FileSystem.version(of: path))
        _ = try folder.read("file")
        #expect(FileSystem.version(of: path) == version)
        #expect(symlink(path, folder.path("link")) == 0)
        #expect(FileSystem.version(of: folder.path("link")) == version)
    }

    @Test("A longer, a touched and a replaced file have other versions")
    func everyChangeChangesTheVersion() throws {
        let path = try folder.write("x", to: "file")
        touch(path, seconds: 1000)
        var versions: Set<FileVersion> = [try #require(FileSystem.version(of: path))]
        let file = try FileDescriptor.openForWriting(path, creation: .appending)
        try file.write([1])
        touch(path, seconds: 1000)
        versions.insert(try #require(FileSystem.version(of: path)))
        touch(path, seconds: 1000, nanoseconds: 1)
        versions.insert(try #require(FileSystem.version(of: path)))
        let other = try folder.write("xy", to: "other")
        touch(other, seconds: 1000, nanoseconds: 1)
        try FileSystem.rename(other, to: path)
        versions.insert(try #require(FileSystem.version(of: path)))
        #expect(versions.count == 4)
    }

    @Test("A missing file and a dangling link have no version")
    func missingFileHasNoVersion() {
        #expect(FileSystem.version(of: folder.path("missing")) == nil)
        #expect(symlink("missing", folder.path("dangling")) == 0)
        #expect(FileSystem.version(of: folder.path("dangling")) == nil)
    }

    @Test("The time of the last change has nanoseconds, also before 1970")
    func modificationTimeHasNanoseconds() throws {
        let path = try folder.write("x", to: "file")
        let file = try FileDescriptor.openForReading(path)
        touch(path, seconds: 1_700_000_000, nanoseconds: 123_456_789)
        #expect(try file.modificationTime() == 1_700_000_000_123_456_789)
        touch(path, seconds: -1, nanoseconds: 500_000_000)
        #expect(try file.modificationTime() == -500_000_000)
    }

    @Test("A relative path is completed by the working directory")
    func relativePathIsCompleted() {
        #expect(FileSystem.absolutePath("/a/b") == "/a/b")
        let path = FileSystem.absolutePath("a/b")
        #expect(path.hasPrefix("/") && path.hasSuffix("/a/b"))
        #expect(FileSystem.version(of: FileSystem.absolutePath(".")) == FileSystem.version(of: "."))
    }
}
