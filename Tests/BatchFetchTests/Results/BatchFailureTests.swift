import Posix
import Testing

@testable import BatchFetch

/// What a failure means for the run, and what its message keeps.
@Suite struct BatchFailureTests {
    private func error(_ errno: Int32) -> FileError {
        FileError(operation: "write", path: "/out/a", errno: errno)
    }

    /// 28 is ENOSPC, 122 EDQUOT, 30 EROFS, 5 EIO, 13 EACCES, 2 ENOENT.
    @Test(arguments: [
        (BatchFailure.Code.output, 28, true), (.output, 122, true), (.output, 30, true),
        (.output, 5, true), (.output, 13, false), (.output, 2, false), (.input, 28, false),
        (.journal, 5, false),
    ])
    func fullDiskEndsTheRun(code: BatchFailure.Code, errno: Int32, endsRun: Bool) {
        let failure = BatchFailure(code, error(errno))
        #expect(failure.endsRun == endsRun && failure.leavesUnresolved == endsRun)
        #expect(failure.systemErrno == errno && failure.curlCode == nil)
        #expect(failure.message.hasPrefix("cannot write “/out/a”: "))
    }

    @Test func onlyACancelledURLIsLeftForALaterRun() {
        #expect(BatchFailure(.cancelled, "").leavesUnresolved)
        for code: BatchFailure.Code in [.output, .timeout, .robots, .totalReached, .status] {
            #expect(!BatchFailure(code, "").leavesUnresolved)
        }
    }

    @Test func remarkKeepsTheRestOfTheFailure() {
        var failure = BatchFailure(.output, error(28))
        failure.curlCode = 23
        failure.isPartUnavailable = true
        let changed = failure.adding("not retried: x").adding("y")
        #expect(changed.message == "\(failure.message); not retried: x; y")
        #expect(changed.description == changed.message)
        #expect(changed.code == .output && changed.curlCode == 23 && changed.systemErrno == 28)
        #expect(changed.endsRun && changed.isPartUnavailable)
    }

    @Test func reasonAgainstARetryIsAddedToAFailureOnly() {
        var result = BatchResult(url: "http://a.example/", line: 1)
        #expect(result.withoutRetry("the budget is spent") == result)
        result.status = 503
        result.failure = BatchFailure(.status, "the server answered 503")
        let final = result.withoutRetry("the budget is spent")
        let message = "the server answered 503; not retried: the budget is spent"
        #expect(final.failure == BatchFailure(.status, message))
        #expect(final.status == 503 && final.url == result.url)
    }

    /// A program may make its own codes, and compare them with those of results.
    @Test func codesAreEqualByName() {
        #expect(BatchFailure.Code("body_too_large") == .bodyTooLarge)
        #expect("\(BatchFailure.Code.existingFile)" == "existing_file")
        #expect(BatchFailure.Code("Timeout") != .timeout)
    }
}
