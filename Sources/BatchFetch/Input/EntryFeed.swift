import Curl

/// Numbers what was read, and hands it to the run in portions, as there is room.
struct EntryFeed {
    private static let portion = 128

    private let core: RunCore
    private let options: BatchInput.Options
    private var entries: [InputEntry] = []
    private var ordinal = 0
    /// Set where the first malformed line ends the run.
    private(set) var failure: BatchFailure?

    init(_ core: RunCore, _ options: BatchInput.Options) {
        self.core = core
        self.options = options
        entries.reserveCapacity(Self.portion)
    }

    /// Takes a line; false if the run is ending.
    mutating func add(_ line: InputLine) -> Bool {
        ordinal += 1
        var entry = InputEntry(line, ordinal: ordinal, at: MonotonicTime.now)
        if case .job(let job) = entry, let existing = core.existingResult(for: job) {
            entry = .done(existing)
        }
        entries.append(entry)
        if options.isStrict, case .done(let result) = entry, !result.isFetched {
            failure = Self.strictFailure(result)
            _ = flush()
            return false
        }
        return entries.count < Self.portion || flush()
    }

    /// Hands on what has gathered, and waits for room; false if the run is ending.
    mutating func flush() -> Bool {
        guard !entries.isEmpty else { return !core.isStopping }
        let hasRoom = core.offer(entries)
        entries.removeAll(keepingCapacity: true)
        return hasRoom ? !core.isStopping : core.waitForRoom()
    }

    private static func strictFailure(_ result: BatchResult) -> BatchFailure {
        let reason = result.failure?.message ?? "it is malformed"
        return BatchFailure(
            .input,
            "line \(result.line) is malformed, which ends a strict run: \(reason)"
        )
    }
}
