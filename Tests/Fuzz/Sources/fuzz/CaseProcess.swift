internal import FuzzWire
internal import Glibc
internal import Synchronization

/// Hands out increasing numbers to tasks.
private final class Counter: Sendable {
    private let next: Atomic<UInt64>

    init(_ first: UInt64) {
        next = Atomic(first)
    }

    func take() -> UInt64 { next.add(1, ordering: .relaxed).oldValue }
}

/// The process that runs cases and may crash.
struct CaseProcess {
    private let options: FuzzOptions
    private let first: UInt64
    private let count: UInt64
    private let places: Places
    /// The time after which no case starts, in seconds.
    private let seconds: Double

    init?(_ options: FuzzOptions) {
        guard let first = options.seed, let count = options.cases,
            let places = Places(count: options.concurrency)
        else { return nil }
        self.options = options
        self.first = first
        self.count = count
        self.places = places
        seconds = options.seconds ?? .infinity
    }

    /// Runs all cases; prints findings to stdout, one per line.
    func run(_ runner: any CaseRunner) async {
        // The resources of a process that has just started aren't representative.
        let start = fuzz_now()
        let warmUp = await run(runner, from: 0, to: count / 3, until: start + seconds / 3)
        let before = fuzz_measure()
        let done = await run(runner, from: warmUp, to: count, until: start + seconds)
        let after = fuzz_measure()
        if done >= 300 { compare(before, after) }
        await runner.end()
    }

    /// Runs cases from `from`; returns the number of the first one that hasn't run.
    private func run(
        _ runner: any CaseRunner,
        from: UInt64,
        to end: UInt64,
        until deadline: Double
    ) async -> UInt64 {
        let next = Counter(from)
        let (places, first) = (places, first)
        await withDiscardingTaskGroup { group in
            for place in 0..<places.count {
                group.addTask {
                    while fuzz_now() < deadline {
                        let number = next.take()
                        guard number < end else { return }
                        let seed = first &+ number
                        places.begin(seed, at: place)
                        let count = await runner.run(seed) { Self.report(seed, $0) }
                        places.end(at: place, exchanges: count)
                    }
                }
            }
        }
        return min(next.take(), end)
    }

    private func compare(_ before: fuzz_resources, _ after: fuzz_resources) {
        let megabytes = (Int(after.memory) - Int(before.memory)) >> 20
        let text =
            "memory \(before.memory >> 20) → \(after.memory >> 20) MB, descriptors "
            + "\(before.descriptors) → \(after.descriptors), threads \(before.threads) → \(after.threads)"
        print("MEASURED \(text)")
        // 1,024 connections may be idle, each at a different address.
        let isLeaking = after.descriptors > before.descriptors + 100 && after.descriptors > 1300
        if megabytes > 96 || isLeaking
            || after.threads > before.threads + 16
        {
            Self.report(first, "what the process holds grows: \(text)")
        }
        fflush(nil)
    }

    private static func report(_ seed: UInt64, _ text: String) {
        print("FINDING \(seed) \(text.replacing("\n", with: " "))")
        fflush(nil)
    }
}

extension String {
    fileprivate func replacing(_ character: Character, with other: Character) -> String {
        String(map { $0 == character ? other : $0 })
    }
}
