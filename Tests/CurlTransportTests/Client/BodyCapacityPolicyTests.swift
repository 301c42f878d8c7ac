internal import Testing

@testable internal import CurlTransport

struct BodyCapacityPolicyTests {
    /// The capacities requested while content arrives in pieces of 16 KiB.
    private func steps(expected: Int64, coming total: Int) -> [Int] {
        stride(from: 0, to: total, by: 16 << 10).compactMap { held in
            BodyCapacityPolicy.capacity(expected: expected, held: held, adding: 16 << 10)
        }
    }

    @Test func announcedContentIsReallocatedRarely() {
        #expect(
            steps(expected: 200 << 20, coming: 200 << 20) == [
                1 << 20, 8 << 20, 64 << 20, 200 << 20,
            ]
        )
        #expect(steps(expected: 100 << 10, coming: 100 << 10) == [100 << 10])
    }

    /// An announced length alone must not exhaust limited memory.
    @Test func capacityIsAtMostEightTimesReceivedBytes() {
        #expect(steps(expected: .max, coming: 512 << 10) == [1 << 20])
        #expect(steps(expected: .max, coming: 5 << 20) == [1 << 20, 8 << 20])
        #expect((steps(expected: .max, coming: 1 << 31).max() ?? 0) <= 8 << 30)
    }

    @Test func singlePieceOrUnknownLengthReservesNothing() {
        #expect(BodyCapacityPolicy.capacity(expected: 1024, held: 0, adding: 1024) == nil)
        #expect(BodyCapacityPolicy.capacity(expected: -1, held: 0, adding: 1024) == nil)
        #expect(BodyCapacityPolicy.capacity(expected: 0, held: 1 << 20, adding: 1024) == nil)
    }
}
