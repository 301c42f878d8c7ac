import CPosix
import Glibc
import TestSupport
import Testing

@testable import Posix

/// Opening files for reading and writing, and their owners.
@Suite struct FileOpeningTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// The error of opening a file.
    private func failure(
        _ open: () throws -> FileDescriptor
    ) throws -> FileError {
        let number: Int32
        do {
            number = try open().number
        } catch let error as FileError {
            return error
        }
        throw SystemFailure("open succeeded as \(number)", errno: 0)
    }

    private func write(
        _ text: String,
        _ name: String,
        _ creation: FileDescriptor.Creation
    ) throws {
        let file = try FileDescriptor.openForWriting(folder.path(name), creation: creation)
        try file.write(Array(text.utf8))
        try file.close()
    }

    @Test("A file that is opened for writing is truncated, and one for updating isn't")
    func contentDependsOnTheOpening() throws {
        try write("a longer text", "file", .truncating)
        try write("short", "file", .truncating)
        #expect(try folder.read("file") == Array("short".utf8))
        let file = try FileDescriptor.openForUpdating(folder.path("file"))
        try file.write(Array("SH".utf8))
        #expect(try folder.read("file") == Array("SHort".utf8))
        var bytes: [UInt8] = []
        #expect(try file.read(appendingTo: &bytes, upTo: 10) == 3)
        #expect(bytes == Array("ort".utf8))
        try FileDescriptor.openForUpdating(folder.path("new")).close()
        #expect(try folder.read("new").isEmpty)
    }

    @Test("A symbolic link is followed only on request")
    func linkIsFollowedOnlyOnRequest() throws {
        try folder.write("x", to: "file")
        #expect(symlink("file", folder.path("link")) == 0)
        let path = folder.path("link")
        for creation in [FileDescriptor.Creation.truncating, .appending] {
            let error = try failure {
                try FileDescriptor.openForWriting(path, creation: creation, followsLinks: false)
            }
            #expect(error == FileError(operation: "open", path: path, errno: ELOOP))
        }
        let update = try failure {
            try FileDescriptor.openForUpdating(path, followsLinks: false)
        }
        #expect(update.errno == ELOOP)
        #expect(try folder.read("file") == Array("x".utf8))
        try write("y", "link", .appending)
        #expect(try folder.read("file") == Array("xy".utf8))
    }

    @Test("A dangling link makes the creation of an exclusive file fail")
    func danglingLinkCountsAsExisting() throws {
        let path = folder.path("link")
        #expect(symlink("target", path) == 0)
        let error = try failure {
            try FileDescriptor.openForWriting(path, creation: .exclusive)
        }
        #expect(error.isExistingFile)
        #expect(try folder.contents() == ["link"])
    }

    @Test("The mode of a new file is limited by the process' umask")
    func modeIsLimitedByTheUmask() throws {
        var bytes: [UInt8] = []
        let status = try FileDescriptor.openForReading("/proc/self/status")
        while try status.read(appendingTo: &bytes, upTo: 4096) > 0 {}
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("Umask:") })
        let digits = line.drop { !$0.isNumber }
        let mask = try #require(UInt32(digits, radix: 8))
        for mode: UInt32 in [0o600, 0o644, 0o666] {
            let path = folder.path("mode-\(mode)")
            try FileDescriptor.openForWriting(path, creation: .exclusive, mode: mode).close()
            #expect(try FileSystem.permissions(of: path) == mode & ~mask)
        }
    }

    @Test("Only a folder is opened as a folder, and none for writing")
    func foldersAreOpenedAsFolders() throws {
        let directory = try FileDescriptor.openDirectory(folder.path)
        #expect(try directory.kind() == .directory)
        let file = try folder.write("x", to: "file")
        let notDirectory = try failure { try FileDescriptor.openDirectory(file) }
        #expect(notDirectory == FileError(operation: "open", path: file, errno: ENOTDIR))
        for creation in [FileDescriptor.Creation.truncating, .appending] {
            let error = try failure {
                try FileDescriptor.openForWriting(folder.path, creation: creation)
            }
            #expect(error.errno == EISDIR)
        }
        let missing = try failure {
            try FileDescriptor.openForWriting(folder.path("none/file"), creation: .truncating)
        }
        #expect(missing.isMissingFile)
    }

    @Test("A path that is too long is an error with its whole path")
    func tooLongPathIsAnError() throws {
        let name = folder.path(String(repeating: "n", count: 256))
        let long = try failure {
            try FileDescriptor.openForWriting(name, creation: .exclusive)
        }
        #expect(long == FileError(operation: "open", path: name, errno: ENAMETOOLONG))
        #expect(try folder.contents() == [])
    }

    @Test("A descriptor that another object owns stays open")
    func descriptorOfAnotherOwnerStaysOpen() throws {
        let pair = try DescriptorPair(isBlocking: true)
        do {
            let view = pair.reader
            #expect(view.number == pair.first)
        }
        try pair.writer.close()
        #expect(fcntl(pair.first, F_GETFD) >= 0 && fcntl(pair.second, F_GETFD) >= 0)
    }

    @Test("Closing the descriptors of the standard files has no effect")
    func standardFilesStayOpen() throws {
        let before = (0...2).map { fcntl($0, F_GETFD) }
        try FileDescriptor.standardInput.close()
        try FileDescriptor.standardOutput.close()
        try FileDescriptor.standardError.close()
        #expect((0...2).map { fcntl($0, F_GETFD) } == before)
        let paths = [
            FileDescriptor.standardInput.path, FileDescriptor.standardOutput.path,
            FileDescriptor.standardError.path,
        ]
        #expect(paths == ["standard input", "standard output", "standard error"])
    }

    @Test("Only a terminal has a number of columns and of lines")
    func onlyTerminalsHaveSizes() throws {
        let terminal = try FileDescriptor.openForUpdating("/dev/ptmx")
        #expect(terminal.terminalColumns == nil, "a new terminal has no size")
        #expect(terminal.terminalRows == nil, "a new terminal has no size")
        var size = winsize(ws_row: 24, ws_col: 132, ws_xpixel: 0, ws_ypixel: 0)
        #expect(ioctl(terminal.number, UInt(TIOCSWINSZ), &size) == 0)
        #expect(terminal.terminalColumns == 132 && terminal.terminalRows == 24)
        #expect(terminal.isTerminal == true)
        let pair = try DescriptorPair(isBlocking: true)
        #expect(pair.reader.terminalColumns == nil && pair.reader.terminalRows == nil)
        #expect(pair.reader.isTerminal == false)
        let null = try FileDescriptor.openForReading("/dev/null")
        #expect(try null.terminalColumns == nil && !null.isTerminal && null.kind() == .other)
    }
}
