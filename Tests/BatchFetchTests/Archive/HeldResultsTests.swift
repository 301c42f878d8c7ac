import Posix
import Synchronization
import TestSupport
import Testing

@testable import BatchFetch

/// Results of archives that aren't in object storage yet.
@Suite(.timeLimit(.minutes(10))) struct HeldResultsTests {
    private func result(_ ordinal: Int, in shard: String?) -> BatchResult {
        var result = BatchResult(url: "http://a/\(ordinal)", line: ordinal)
        result.shard = shard
        result.shardOffset = shard.map { _ in 512 }
        return result
    }

    @Test("Results are held until their archive is stored")
    func resultsAreHeld() throws {
        let held = try HeldResults()
        let notified = Mutex(0)
        held.onEnd { failure in
            #expect(failure == nil)
            notified.withLock { $0 += 1 }
        }
        let first = [result(1, in: "a"), result(2, in: nil), result(3, in: "b")]
        #expect(held.release(adding: first).map(\.ordinal) == [2])
        held.beginUpload()
        held.endUpload(of: "a", nil)
        #expect(notified.withLock { $0 } == 1)
        let second = held.release(adding: [result(4, in: "a"), result(5, in: "b")])
        #expect(second.map(\.ordinal) == [1, 4])
        #expect(second.allSatisfy { $0.shard == "a" && $0.isFetched })
        held.end("b", nil)
        #expect(held.release(adding: []).map(\.ordinal) == [3, 5])
        #expect(held.waitForUploads() == nil)
    }

    @Test("Results of an archive that can't be stored have failed, and leave their URLs unresolved")
    func resultsOfLostArchiveFail() throws {
        let held = try HeldResults()
        _ = held.release(adding: [result(1, in: "a")])
        var failure = BatchFailure(.output, "lost")
        failure.endsRun = true
        held.beginUpload()
        held.endUpload(of: "a", failure)
        let results = held.release(adding: [result(2, in: "a")])
        #expect(results.map(\.ordinal) == [1, 2])
        for result in results {
            #expect(result.failure?.message == "lost" && result.shard == nil)
            #expect(result.failure?.leavesUnresolved == true)
        }
        #expect(held.waitForUploads()?.message == "lost")
    }

    @Test("The failure of the last upload is known when no upload is left")
    func lastFailureIsKnownAtEnd() throws {
        let failure = BatchFailure(.output, "lost")
        for _ in 0..<100 {
            let held = try HeldResults()
            _ = held.release(adding: [result(1, in: "a")])
            held.beginUpload()
            // Ends of other archives make the waiting thread look at the uploads all the time.
            let others = try NativeThread(name: "others") {
                for _ in 0..<200 { held.end("b", nil) }
            }
            let upload = try NativeThread(name: "upload") { held.endUpload(of: "a", failure) }
            #expect(held.waitForUploads()?.message == "lost")
            #expect(held.release(adding: []).map(\.ordinal) == [1])
            upload.join()
            others.join()
        }
    }

    @Test("A third upload waits until one of two has ended")
    func uploadsAreLimited() async throws {
        let held = try HeldResults()
        held.beginUpload()
        held.beginUpload()
        let begun = Watched(false)
        let thread = try NativeThread(name: "third") {
            held.beginUpload()
            begun.update { $0 = true }
        }
        #expect(!begun.read { $0 })
        held.endUpload(of: "a", nil)
        _ = try await begun.wait { $0 ? true : nil }
        withExtendedLifetime(thread) {}
    }

    @Test("Names of archives have a label and a number, and are recognised")
    func namesAreRecognised() {
        let name = ArchiveName.labelled("shard", "host/1 é")
        #expect(name == "shard-host_1___")
        #expect(ArchiveName.labelled("shard", nil) == "shard")
        let file = ArchiveName.file(name, 7, "tar")
        #expect(file == "shard-host_1___-00007.tar")
        #expect(ArchiveName.number(of: file, name, "tar") == 7)
        #expect(ArchiveName.number(of: file, "shard", "tar") == nil)
        #expect(ArchiveName.number(of: "shard-7.tar", "shard", "tar") == nil)
        #expect(ArchiveName.number(of: "shard-100000.tar", "shard", "tar") == 100_000)
    }
}
