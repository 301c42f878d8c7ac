import Glibc
import Posix
import Testing

/// Errors of system calls: their messages, and what callers conclude from them.
@Suite struct FileErrorTests {
    @Test("A message says what failed, where and why")
    func messageHasOperationPathAndReason() {
        let error = FileError(operation: "rename to", path: "a “b”/c", errno: EXDEV)
        #expect(error.reason == "Invalid cross-device link")
        #expect(
            error.description
                == "cannot rename to “a “b”/c”: Invalid cross-device link (errno 18)"
        )
        #expect("\(FileError.isDirectory("d"))" == "cannot read “d”: Is a directory (errno 21)")
        #expect(
            "\(FileError.isMissing("m"))" == "cannot open “m”: No such file or directory (errno 2)"
        )
        #expect(FileError.inUse("f").path == "f" && FileError.inUse("f").isInUse)
    }

    @Test("A failed system call without a path has its name and the reason")
    func systemFailureHasCallAndReason() {
        let failure = SystemFailure("epoll_create1", errno: EMFILE)
        #expect(failure.description == "epoll_create1: Too many open files")
        #expect(failure == SystemFailure("epoll_create1", errno: EMFILE))
        #expect(failure != SystemFailure("eventfd", errno: EMFILE))
        #expect(failure != SystemFailure("epoll_create1", errno: ENFILE))
    }

    @Test("An unknown errno is shown as its number", arguments: [Int32.max, -1, 5000])
    func unknownErrnoIsShownAsNumber(errno: Int32) {
        let text = SystemFailure.text(for: errno)
        #expect(text.contains("\(errno)"), "\(text)")
    }

    @Test("Threads read texts of errors at the same time")
    func textsAreReadByManyThreads() async {
        let codes: [Int32] = [ENOENT, EACCES, EISDIR, ENOSPC, EBADF, 4000, 4001]
        let texts = codes.map { SystemFailure.text(for: $0) }
        #expect(Set(texts).count == codes.count)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (0..<500).allSatisfy { round in
                        let index = round % codes.count
                        return SystemFailure.text(for: codes[index]) == texts[index]
                    }
                }
            }
            for await isSame in group { #expect(isSame) }
        }
    }

    @Test(
        "Only errors that affect the whole device are persistent",
        arguments: [
            (ENOSPC, true), (EDQUOT, true), (EROFS, true), (EIO, true), (ENOENT, false),
            (EACCES, false), (EISDIR, false), (ENAMETOOLONG, false), (EMFILE, false),
        ]
    )
    func errorsOfTheDeviceArePersistent(errno: Int32, isPersistent: Bool) {
        let error = FileError(operation: "write", path: "x", errno: errno)
        #expect(error.isPersistent == isPersistent)
    }

    @Test(
        "An error says whether the file's name is already in use",
        arguments: [
            (EISDIR, true), (ENOTDIR, true), (ENOTEMPTY, true), (EEXIST, true), (ENOENT, false),
            (ENOSPC, false), (EACCES, false), (EBUSY, false),
        ]
    )
    func takenNamesAreRecognised(errno: Int32, isTaken: Bool) {
        let error = FileError(operation: "rename to", path: "x", errno: errno)
        #expect(error.isNameTaken == isTaken)
        #expect(error.isExistingFile == (errno == FileError.existingFile))
        #expect(error.isMissingFile == (errno == ENOENT))
        #expect(error.isInUse == (errno == EBUSY))
    }
}

/// Runs an operation that must fail, and returns its error.
func fileError(_ operation: () throws -> Void) throws -> FileError {
    do {
        try operation()
    } catch let error as FileError {
        return error
    }
    throw SystemFailure("nothing", errno: 0)
}
