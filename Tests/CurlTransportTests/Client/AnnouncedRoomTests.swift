internal import Testing

@testable internal import CurlTransport

struct AnnouncedRoomTests {
    /// The capacities that are asked for while content comes in pieces of 16 KiB.
    private func steps(expected: Int64, coming total: Int) -> [Int] {
        stride(from: 0, to: total, by: 16 << 10).compactMap { held in
            AnnouncedRoom.capacity(expected: expected, held: held, adding: 16 << 10)
        }
    }

    @Test func contentOfAnAnnouncedLengthIsMovedSeldom() {
        #expect(
            steps(expected: 200 << 20, coming: 200 << 20) == [
                1 << 20, 8 << 20, 64 << 20, 200 << 20,
            ]
        )
        #expect(steps(expected: 100 << 10, coming: 100 << 10) == [100 << 10])
    }

    /// Where memory is limited, an announcement alone mustn't use it up.
    @Test func noMoreIsSetAsideThanEightTimesWhatHasCome() {
        #expect(steps(expected: .max, coming: 512 << 10) == [1 << 20])
        #expect(steps(expected: .max, coming: 5 << 20) == [1 << 20, 8 << 20])
        #expect((steps(expected: .max, coming: 1 << 31).max() ?? 0) <= 8 << 30)
    }

    @Test func whatComesInOnePieceOrUnannouncedNeedsNone() {
        #expect(AnnouncedRoom.capacity(expected: 1024, held: 0, adding: 1024) == nil)
        #expect(AnnouncedRoom.capacity(expected: -1, held: 0, adding: 1024) == nil)
        #expect(AnnouncedRoom.capacity(expected: 0, held: 1 << 20, adding: 1024) == nil)
    }
}
