internal import Posix
internal import TestSupport
internal import Testing

@testable internal import CurlTransport

@Suite(.timeLimit(.minutes(10))) struct UploadWindowTests {
    /// Takes up to `count` bytes, as the loop does.
    private func take(_ window: UploadWindow, _ count: Int) -> (UploadWindow.Supply, [UInt8]) {
        var supply = UploadWindow.Supply.end
        let bytes = [UInt8](capacity: count) { output in supply = window.take(into: &output) }
        return (supply, bytes)
    }

    @Test(arguments: 0..<10)
    func bytesKeepTheirOrder(seed: UInt64) async throws {
        let wakes = Watched(0)
        let window = UploadWindow { wakes.update { $0 += 1 } }
        var random = SeededGenerator(seed: seed)
        let chunks = (0..<200).map { number in
            let count = random.isOne(in: 5) ? 0 : Int.random(in: 1...30_000, using: &random)
            return [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: count)
        }
        async let produced: Bool = {
            for chunk in chunks {
                guard await window.append(chunk) else { return false }
            }
            window.finish()
            return true
        }()

        var taken: [UInt8] = []
        var seenWakes = 0
        loop: while true {
            let (supply, bytes) = take(window, Int.random(in: 1...70_000, using: &random))
            taken += bytes
            switch supply {
            case .bytes:
                #expect(!bytes.isEmpty)
            case .pending:
                #expect(bytes.isEmpty)
                // Each take that finds nothing causes one wake-up.
                seenWakes += 1
                try await wakes.wait { [seenWakes] in $0 >= seenWakes ? () : nil }
                #expect(wakes.read { $0 } == seenWakes)
            case .end:
                break loop
            case .failure(let failure):
                Issue.record("\(failure)")
                break loop
            }
        }
        #expect(await produced)
        #expect(taken == Array(chunks.joined()))
    }

    @Test func producerWaitsWhileWindowIsFull() async throws {
        let wakes = Watched(0)
        let window = UploadWindow { wakes.update { $0 += 1 } }
        let appended = Watched(0)
        let chunk = [UInt8](repeating: 7, count: 64 * 1024)
        let producer = Task {
            for _ in 0..<100 {
                guard await window.append(chunk) else { return false }
                appended.update { $0 += 1 }
            }
            return true
        }
        // The window holds 512 KiB: the eighth chunk fills it.
        try await appended.wait { $0 >= 7 ? () : nil }
        var taken = 0
        var seenWakes = 0
        while taken < 100 * chunk.count {
            let (supply, bytes) = take(window, 16 * 1024)
            taken += bytes.count
            if case .pending = supply {
                seenWakes += 1
                try await wakes.wait { [seenWakes] in $0 >= seenWakes ? () : nil }
            }
            #expect(appended.read { $0 } * chunk.count - taken <= 512 * 1024)
        }
        #expect(await producer.value)
    }

    @Test func closingResumesWaitingProducer() async throws {
        let window = UploadWindow {}
        let chunk = [UInt8](repeating: 7, count: 512 * 1024)
        let producer = Task { await window.append(chunk) }
        window.close()
        let isOpen = await [producer.value, window.append([1]), window.append([])]
        #expect(isOpen == [false, false, false])
    }

    @Test func failureIsReportedBeforeBufferedBytes() async {
        let woken = Watched(0)
        let window = UploadWindow { woken.update { $0 += 1 } }
        _ = take(window, 1)
        #expect(await window.append([1, 2, 3]))
        window.fail(CancellationError())
        guard case .failure(let failure) = take(window, 10).0 else {
            Issue.record("the failure is not reported")
            return
        }
        #expect(failure.underlying is CancellationError)
        #expect(failure.reason == "CancellationError()")
        #expect(woken.read { $0 } == 1)
    }
}
