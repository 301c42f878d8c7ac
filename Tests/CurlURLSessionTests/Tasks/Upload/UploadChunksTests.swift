internal import CurlTransport
internal import TestSupport
internal import Testing

@testable internal import CurlURLSession

@Suite struct UploadChunksTests {
    private func chunks(_ use: SingleUse) -> UploadChunks<AsyncStream<[UInt8]>> {
        UploadChunks(SequenceUploads.sequence([[1], [2]]), use: use, didFail: { _ in })
    }

    @Test("A sequence that may be iterated once refuses a second iteration")
    func secondIterationIsRefused() async throws {
        let chunks = chunks(SingleUse())
        var taken: [[UInt8]] = []
        for try await chunk in chunks { taken.append(chunk) }
        #expect(taken == [[1], [2]])
        let error = await #expect(throws: TransportError.self) {
            for try await _ in chunks {}
        }
        #expect(error?.code == .bodyNotReplayable)
    }

    @Test("An iteration that is cancelled before it begins doesn't use up its sequence")
    func cancelledIterationUsesNothingUp() async {
        let use = SingleUse()
        let chunks = chunks(use)
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            for try await _ in chunks {}
        }
        _ = await cancelled.result
        #expect(!use.isBegun)
    }

    @Test("An error after a cancellation isn't reported")
    func errorAfterACancellationIsNotReported() async throws {
        let failures = Watched(0)
        let begun = Gate()
        let waiting = AsyncThrowingStream<[UInt8], any Error>(unfolding: {
            begun.open()
            // Throws when the iteration is cancelled.
            try await Gate().wait()
            return nil
        })
        let chunks = UploadChunks(
            waiting,
            use: nil,
            didFail: { _ in failures.update { $0 += 1 } }
        )
        let iteration = Task { for try await _ in chunks {} }
        try await begun.wait()
        iteration.cancel()
        let result = await iteration.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(failures.read { $0 } == 0)
    }

    @Test("Single bytes are collected into chunks of 16 KiB")
    func bytesAreCollected() async throws {
        let body = SequenceUploads.bytes(40_000)
        var counts: [Int] = []
        var taken: [UInt8] = []
        for try await chunk in CollectedBytes(SequenceUploads.sequence(body)) {
            counts.append(chunk.count)
            taken += chunk
        }
        #expect(counts == [16_384, 16_384, 7_232])
        #expect(taken == body)
    }
}
