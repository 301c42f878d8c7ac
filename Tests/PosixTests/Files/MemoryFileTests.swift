import Glibc
import TestSupport
import Testing

@testable import Posix

/// Files in memory, and reading without waiting for a disk.
@Suite struct MemoryFileTests {
    @Test("A file in memory is read by its path while its descriptor is open")
    func memoryFileIsReadByItsPath() throws {
        let content = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
        let file = try FileDescriptor.memory("certificates", holding: content)
        #expect(file.isInMemory && file.path == "certificates")
        #expect(fcntl(file.number, F_GETFD) & FD_CLOEXEC != 0)
        let copy = try FileDescriptor.openForReading(file.pathInProcess)
        #expect(try copy.bytes(at: 0, upTo: 20_000) == content)
        #expect(try copy.identity() == file.identity())
        let empty = try FileDescriptor.memory("", holding: [])
        #expect(try empty.size() == 0)
    }

    @Test("A file in memory can't be changed")
    func memoryFileCannotBeChanged() throws {
        let file = try FileDescriptor.memory("sealed", holding: [1, 2, 3])
        let error = #expect(throws: FileError.self) { try file.write([4]) }
        #expect(error == FileError(operation: "write", path: "sealed", errno: EPERM))
        #expect(throws: FileError.self) { try file.truncate(to: 0) }
        #expect(throws: FileError.self) { try file.write([4], at: 0) }
        #expect(try file.bytes(at: 0, upTo: 10) == [1, 2, 3])
    }

    @Test("If the kernel refuses a name, the error has that name")
    func refusedNameIsAnError() {
        let name = String(repeating: "n", count: 300)
        let error = #expect(throws: FileError.self) {
            _ = try FileDescriptor.memory(name, holding: []).number
        }
        #expect(error == FileError(operation: "create in memory", path: name, errno: EINVAL))
    }

    /// Reads without waiting, with room for `room` bytes.
    private func read(
        _ file: borrowing FileDescriptor,
        at offset: Int64,
        upTo count: Int,
        room: Int
    ) throws -> (NonblockingRead, [UInt8]) {
        var result = NonblockingRead.wouldWait
        let isInMemory = file.isInMemory
        var bytes: [UInt8] = []
        try bytes.append(addingCapacity: room) { output throws(FileError) in
            result = try file.readNonblocking(
                at: offset,
                upTo: count,
                isInMemory: isInMemory,
                into: &output
            )
        }
        return (result, bytes)
    }

    @Test(
        "A read from memory ends at the count, the output's capacity or the file's end",
        arguments: [
            (0, 5, 10, [1, 2, 3, 4, 5]), (0, 2, 10, [1, 2]), (0, 10, 3, [1, 2, 3]),
            (3, 10, 10, [4, 5]), (5, 10, 10, []), (9, 1, 1, []), (0, 0, 4, []), (2, 5, 1, [3]),
        ] as [(Int64, Int, Int, [UInt8])]
    )
    func readingFromMemoryIsLimited(
        offset: Int64,
        count: Int,
        room: Int,
        expected: [UInt8]
    ) throws {
        let file = try FileDescriptor.memory("file", holding: [1, 2, 3, 4, 5])
        let (result, bytes) = try read(file, at: offset, upTo: count, room: room)
        #expect(result == .bytes(expected.count))
        #expect(bytes == expected)
    }

    @Test("A read without waiting returns the file's bytes or nothing")
    func readingReturnsTheFilesBytes() throws {
        let folder = try TemporaryDirectory(in: "/var/tmp")
        let content = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 3) }
        let file = try FileDescriptor.openForReading(folder.write(content, to: "file"))
        // A file system may not support the call, and the cache may be empty.
        let (result, bytes) = try read(file, at: 1000, upTo: 2000, room: 4096)
        switch result {
        case .bytes(let count): #expect(bytes == Array(content[1000..<1000 + count]) && count > 0)
        case .wouldWait: #expect(bytes.isEmpty)
        }
    }

    @Test("Reading a closed file or a socket without waiting is an error")
    func closedFileIsAnError() throws {
        let error = #expect(throws: FileError.self) {
            _ = try read(FileDescriptor(number: -1, path: "closed"), at: 0, upTo: 1, room: 1)
        }
        #expect(error == FileError(operation: "read", path: "closed", errno: EBADF))
        let pair = try DescriptorPair(isBlocking: true)
        let second = #expect(throws: FileError.self) {
            _ = try read(pair.reader, at: 0, upTo: 1, room: 1)
        }
        #expect(second?.errno == ESPIPE)
    }
}
