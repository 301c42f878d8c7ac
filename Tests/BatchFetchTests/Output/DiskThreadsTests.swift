import Posix
import TestSupport
import Testing

@testable import BatchFetch

@Suite(.timeLimit(.minutes(10))) struct DiskThreadsTests {
    @Test(arguments: 1...8) func longJobDelaysNoOther(count: Int) async throws {
        let threads = try DiskThreads()
        let slow = try Wakeup()
        let done = Watched(0)
        threads.submit { slow.wait(until: nil) }
        for _ in 0..<count { threads.submit { done.update { $0 += 1 } } }
        _ = try await done.wait { $0 == count ? true : nil }
        slow.signal()
        threads.stop()
    }

    @Test func endWaitsForAllJobs() throws {
        let threads = try DiskThreads()
        let done = Watched(0)
        for _ in 0..<1000 { threads.submit { done.update { $0 += 1 } } }
        threads.stop()
        #expect(done.read { $0 } == 1000)
    }
}
