import Glibc
import TestSupport
import Testing

@testable import Posix

/// Reading and writing, where the kernel does less than was requested.
@Suite(.timeLimit(.minutes(10))) struct FileTransferTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    // MARK: Sockets

    @Test("Reading an empty socket that doesn't block waits for its writer")
    func readingWaitsForTheWriter() async throws {
        let pair = try DescriptorPair()
        let reading = Gate()
        async let text = NativeThread.run {
            var bytes: [UInt8] = []
            reading.open()
            let count = try pair.reader.read(appendingTo: &bytes, upTo: 100)
            return (count, bytes)
        }
        try await reading.wait()
        try pair.writer.write(Array("late".utf8))
        let (count, bytes) = try await text
        #expect(count == 4 && bytes == Array("late".utf8))
    }

    @Test("Writing more than a socket takes waits for its reader, and loses nothing")
    func writingWaitsForTheReader() async throws {
        let pair = try DescriptorPair()
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        async let written: Void = NativeThread.run { try pair.writer.write(bytes) }
        let read = try await NativeThread.run {
            var read: [UInt8] = []
            while read.count < bytes.count {
                _ = try pair.reader.read(appendingTo: &read, upTo: 50_000)
            }
            return read
        }
        try await written
        #expect(read == bytes)
    }

    @Test("Reading returns the bytes of one call, which may be fewer than requested")
    func readingReturnsTheBytesOfOneCall() throws {
        let pair = try DescriptorPair(isBlocking: true)
        try pair.writer.write([1, 2, 3, 4, 5])
        var bytes: [UInt8] = [0]
        #expect(try pair.reader.read(appendingTo: &bytes, upTo: 0) == 0)
        #expect(try pair.reader.read(appendingTo: &bytes, upTo: 2) == 2)
        #expect(try pair.reader.read(appendingTo: &bytes, upTo: 3) == 3)
        #expect(bytes == [0, 1, 2, 3, 4, 5])
        #expect(try pair.reader.size() == 0)
    }

    @Test("A socket without a reader ends the writing with an error")
    func missingReaderEndsTheWriting() async throws {
        // Not closed, because a child that another test is starting may hold a copy.
        let pair = try DescriptorPair()
        shutdown(pair.first, Int32(SHUT_RD))
        // A thread of its own, because the signal would end the process.
        let error = try await NativeThread.run {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            let writer = pair.writer
            return #expect(throws: FileError.self) { try writer.write([1]) }
        }
        #expect(error?.description == "cannot write “socket”: Broken pipe (errno 32)")
    }

    @Test("A socket has no position")
    func socketHasNoPosition() throws {
        let pair = try DescriptorPair(isBlocking: true)
        let reader = pair.reader
        #expect(try fileError { try reader.seek(to: 0) }.errno == ESPIPE)
        #expect(try fileError { _ = try reader.bytes(at: 0, upTo: 1) }.errno == ESPIPE)
        #expect(
            try fileError { try pair.writer.write([1], at: 0) }
                == FileError(operation: "write to", path: "socket", errno: ESPIPE)
        )
    }

    // MARK: Errors

    @Test("Every operation on a closed file is an error with the operation's name")
    func closedFileIsAnErrorOfEveryOperation() throws {
        let operations: [(String, (borrowing FileDescriptor) throws -> Void)] = [
            (
                "read",
                { file in
                    var bytes: [UInt8] = []
                    _ = try file.read(appendingTo: &bytes, upTo: 1)
                }
            ),
            ("read", { file in _ = try file.bytes(at: 0, upTo: 1) }),
            ("write", { file in try file.write([1]) }),
            ("write to", { file in try file.write([1], at: 0) }),
            ("seek in", { file in try file.seek(to: 0) }),
            ("synchronize", { file in try file.synchronize() }),
            ("synchronize", { file in try file.synchronizeFileSystem() }),
            ("truncate", { file in try file.truncate(to: 0) }),
            ("lock", { file in _ = try file.tryLock() }),
            ("examine", { file in _ = try file.size() }),
            ("examine", { file in _ = try file.kind() }),
            ("examine", { file in _ = try file.modificationTime() }),
            ("examine", { file in _ = try file.identity() }),
        ]
        let file = FileDescriptor(number: -1, path: "closed")
        for (name, operation) in operations {
            let expected = FileError(operation: name, path: "closed", errno: EBADF)
            #expect(try fileError { try operation(file) } == expected)
        }
        #expect(!file.isTerminal && !file.isInMemory && file.terminalColumns == nil)
    }

    @Test("A file that was opened for one direction is an error in the other")
    func directionOfAFileIsFixed() throws {
        let path = try folder.write("x", to: "file")
        let reader = try FileDescriptor.openForReading(path)
        #expect(try fileError { try reader.write([1]) }.errno == FileError.badDescriptor)
        #expect(try fileError { try reader.truncate(to: 0) }.errno == EINVAL)
        let writer = try FileDescriptor.openForWriting(path, creation: .appending)
        var bytes: [UInt8] = []
        #expect(
            try fileError { _ = try writer.read(appendingTo: &bytes, upTo: 1) }.errno
                == FileError.badDescriptor
        )
        #expect(bytes.isEmpty)
        #expect(try folder.read("file") == Array("x".utf8))
    }

    @Test("A full device is reported by the write, with the file's path")
    func fullDeviceIsReported() throws {
        let file = try FileDescriptor.openForWriting("/dev/full", creation: .appending)
        let error = try fileError { try file.write([1, 2, 3]) }
        #expect(error.isPersistent)
        #expect(
            error.description
                == "cannot write “/dev/full”: No space left on device (errno 28)"
        )
        // Nothing to write is no error.
        try file.write([])
    }

    // MARK: Positions

    @Test("A file is extended with zeros, and truncated to any size")
    func fileIsExtendedWithZeros() throws {
        let file = try FileDescriptor.openForUpdating(folder.path("file"))
        try file.write([1, 2, 3])
        try file.truncate(to: 5)
        #expect(try folder.read("file") == [1, 2, 3, 0, 0])
        try file.write([9], at: 7)
        #expect(try folder.read("file") == [1, 2, 3, 0, 0, 0, 0, 9])
        try file.truncate(to: 0)
        #expect(try file.size() == 0)
        #expect(try fileError { try file.truncate(to: -1) }.errno == EINVAL)
        #expect(try fileError { try file.seek(to: -1) }.errno == EINVAL)
    }

    @Test(
        "A positioned read returns fewer bytes only at the end of the file",
        arguments: [
            (0, 5, [1, 2, 3, 4, 5]), (0, 6, [1, 2, 3, 4, 5]), (1, 3, [2, 3, 4]), (4, 1, [5]),
            (4, 2, [5]), (5, 1, []), (1000, 10, []), (2, 0, []), (0, -1, []),
        ] as [(Int64, Int, [UInt8])]
    )
    func positionedReadEndsWithTheFile(offset: Int64, count: Int, bytes: [UInt8]) throws {
        let path = try folder.write([1, 2, 3, 4, 5], to: "file")
        let file = try FileDescriptor.openForReading(path)
        #expect(try file.bytes(at: offset, upTo: count) == bytes)
    }

    @Test("Positioned calls neither use nor change the file's position")
    func positionedCallsKeepThePosition() throws {
        let path = try folder.write([1, 2, 3, 4, 5], to: "file")
        let file = try FileDescriptor.openForUpdating(path)
        try file.seek(to: 1)
        #expect(try file.bytes(at: 3, upTo: 2) == [4, 5])
        try file.write([], at: 4)
        try file.write([8, 9], at: 4)
        var bytes: [UInt8] = []
        #expect(try file.read(appendingTo: &bytes, upTo: 2) == 2)
        #expect(bytes == [2, 3])
        #expect(try folder.read("file") == [1, 2, 3, 4, 8, 9])
        #expect(try fileError { _ = try file.bytes(at: -1, upTo: 1) }.errno == EINVAL)
        #expect(try fileError { try file.write([1], at: -1) }.errno == EINVAL)
    }

    @Test("Threads write different parts of one file at the same time")
    func threadsWritePartsOfAFile() async throws {
        let path = folder.path("file")
        let file = try FileDescriptor.openForUpdating(path)
        let number = file.number
        try await withThrowingTaskGroup(of: Void.self) { group in
            for part in 0..<8 {
                group.addTask {
                    try await NativeThread.run {
                        let view = FileDescriptor(number: number, path: path, isOwned: false)
                        let bytes = [UInt8](repeating: UInt8(part), count: 1000)
                        for piece in 0..<10 {
                            try view.write(bytes, at: Int64(piece * 8000 + part * 1000))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let content = try file.bytes(at: 0, upTo: 100_000)
        let expected = (0..<80_000).map { UInt8($0 / 1000 % 8) }
        #expect(content == expected)
        _ = consume file
    }
}
