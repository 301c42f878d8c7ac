import TestSupport
import Testing

@testable import BatchFetch

@Suite struct ResultLogTests {
    @Test func flushWritesPendingResultsBeforeAnImmediateExit() throws {
        let folder = try TemporaryDirectory()
        let log = try ResultLog(path: folder.path("results"))
        log.append(BatchResult(url: "http://a/", line: 1))
        log.flush()
        #expect(try folder.read("results").last == 0x0A)
        try log.close()
    }
}
