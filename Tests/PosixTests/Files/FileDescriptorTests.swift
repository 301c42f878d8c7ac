import Glibc
import TestSupport
import Testing

@testable import Posix

@Suite struct FileDescriptorTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test func writtenBytesAreReadBack() throws {
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
        let file = try FileDescriptor.openForWriting("\(folder.path)/a", creation: .truncating)
        try file.write(bytes.span)
        let nothing: [UInt8] = []
        try file.write(nothing.span)
        #expect(try file.size() == 10_000)
        try file.synchronize()
        try file.close()
        #expect(try folder.read("a") == bytes)
    }

    @Test func appendingWritesAtEnd() throws {
        for text in ["one ", "two"] {
            let file = try FileDescriptor.openForWriting("\(folder.path)/a", creation: .appending)
            try file.write(Array(text.utf8))
        }
        #expect(try folder.read("a") == Array("one two".utf8))
    }

    @Test func seekingMovesTheNextRead() throws {
        let file = try FileDescriptor.openForWriting("\(folder.path)/a", creation: .exclusive)
        try file.write(Array("0123456789".utf8))
        let reader = try FileDescriptor.openForReading("\(folder.path)/a")
        try reader.seek(to: 7)
        var bytes: [UInt8] = []
        #expect(try reader.read(appendingTo: &bytes, upTo: 100) == 3)
        #expect(bytes == Array("789".utf8))
        #expect(try reader.read(appendingTo: &bytes, upTo: 100) == 0)
    }

    @Test func errorHasOperationPathAndReason() throws {
        let path = "\(folder.path)/missing"
        let error = #expect(throws: FileError.self) {
            _ = try FileDescriptor.openForReading(path).number
        }
        #expect(error?.isMissingFile == true)
        #expect(
            error?.description == "cannot open “\(path)”: No such file or directory (errno 2)"
        )
    }

    @Test func readingDirectoryIsAnError() {
        let error = #expect(throws: FileError.self) {
            _ = try FileDescriptor.openForReading(folder.path).number
        }
        #expect(error?.errno == EISDIR)
    }

    @Test func pathWithNULIsAnError() throws {
        try FileDescriptor.openForWriting("\(folder.path)/a", creation: .truncating).close()
        let error = #expect(throws: FileError.self) {
            _ = try FileDescriptor.openForReading("\(folder.path)/a\0b").number
        }
        #expect(error?.errno == EINVAL)
    }

    @Test func exclusiveFileIsCreatedOnce() throws {
        let path = "\(folder.path)/a"
        try FileDescriptor.openForWriting(path, creation: .exclusive).close()
        let error = #expect(throws: FileError.self) {
            _ = try FileDescriptor.openForWriting(path, creation: .exclusive).number
        }
        #expect(error?.isExistingFile == true)
    }

    @Test func descriptorIsClosedWithItsOwner() throws {
        let number = try openedAndReleased()
        #expect(fcntl(number, F_GETFD) == -1 || number < 0)
    }

    private func openedAndReleased() throws -> Int32 {
        // A high number, which no other test's descriptor takes in the meantime.
        let file = try FileDescriptor.openForWriting("\(folder.path)/a", creation: .truncating)
        let high = FileDescriptor(number: fcntl(file.number, F_DUPFD_CLOEXEC, 900), path: "a")
        return high.number
    }

    @Test("A socket has no reader once its peer has closed it")
    func closedPeerIsNoReader() throws {
        let pair = try DescriptorPair()
        let before = pair.writer.hasNoReader
        #expect(!before)
        #expect(shutdown(pair.first, Int32(SHUT_RDWR)) == 0)
        let after = pair.writer.hasNoReader
        #expect(after)
    }

    @Test func childProcessesDoNotInheritDescriptor() throws {
        let file = try FileDescriptor.openForWriting("\(folder.path)/a", creation: .truncating)
        #expect(fcntl(file.number, F_GETFD) & FD_CLOEXEC != 0)
    }
}
