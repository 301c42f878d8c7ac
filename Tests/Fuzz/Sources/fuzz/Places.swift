internal import FuzzWire

/// Memory that a case process shares with the supervisor.
///
/// It contains the seed of each case in flight, and the progress. One task writes to each place.
struct Places: @unchecked Sendable {
    static let descriptor: Int32 = 3
    private static let width = 4

    let count: Int
    // `@unchecked Sendable`: shared memory; each word has one writer, and a reader may see an old
    // value.
    private let words: UnsafeMutablePointer<UInt64>

    init?(count: Int, descriptor: Int32 = Places.descriptor) {
        guard let words = fuzz_shared(descriptor, count * Self.width) else { return nil }
        self.count = count
        self.words = words
    }

    /// Creates the descriptor of places for `count` concurrent cases; -1 on failure.
    static func make(count: Int) -> Int32 { fuzz_shared_make(count * width) }

    func begin(_ seed: UInt64, at place: Int) {
        words[place * Self.width] = seed
        words[place * Self.width + 1] = 1
    }

    func end(at place: Int, exchanges: Int) {
        words[place * Self.width + 1] = 0
        words[place * Self.width + 2] += 1
        words[place * Self.width + 3] += UInt64(exchanges)
    }

    var seedsInFlight: [UInt64] {
        (0..<count).filter { words[$0 * Self.width + 1] == 1 }.map { words[$0 * Self.width] }
    }

    var finishedCases: UInt64 { (0..<count).reduce(0) { $0 + words[$1 * Self.width + 2] } }
    var exchanges: UInt64 { (0..<count).reduce(0) { $0 + words[$1 * Self.width + 3] } }
}
