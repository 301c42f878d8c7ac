import Posix

extension BatchInput {
    /// Reads the input, and passes its URLs on in portions, in order. Blocks.
    ///
    /// - Parameters:
    ///   - portion: The number of entries in each portion but the last.
    ///   - take: Gets URLs, and the failures of lines that are no requests. Returns whether to
    ///     continue.
    /// - Throws: ``BatchFailure/Code/input`` if a list can't be read to its end, and
    ///   ``BatchFailure/Code/configuration`` for invalid options.
    package func readWork(
        portion: Int = 1000,
        _ take: @escaping ([WorkItem], [BatchResult]) -> Bool
    ) throws(BatchFailure) {
        let reader = InputReader(self, file: try InputReader.open(self))
        var receiver = WorkReader(portion: max(1, portion), options, take)
        let failure = reader.read(into: &receiver)
        receiver.pass()
        if let failure { throw failure }
    }
}

/// Collects the URLs of lists for another process.
private struct WorkReader: LineReceiver {
    private let portion: Int
    private let options: BatchInput.Options
    private let take: ([WorkItem], [BatchResult]) -> Bool
    private var work: [WorkItem] = []
    private var failures: [BatchResult] = []
    private var ordinal = 0
    private(set) var isStopping = false

    init(
        portion: Int,
        _ options: BatchInput.Options,
        _ take: @escaping ([WorkItem], [BatchResult]) -> Bool
    ) {
        self.portion = portion
        self.options = options
        self.take = take
    }

    mutating func add(_ line: InputLine) -> Bool {
        ordinal += 1
        let entry = InputEntry(line, ordinal: ordinal, at: .now)
        guard options.shard?.contains(entry) != false else { return !isStopping }
        switch entry {
        case .job(let job): work.append(WorkItem(job))
        case .done(let result): failures.append(result)
        }
        if work.count + failures.count >= portion { pass() }
        return !isStopping
    }

    mutating func skipIfCompleted(_ record: InputRecord) -> SkipResult { .notCompleted }

    /// The portions have a size, so what was read so far isn't passed on.
    mutating func flush() -> Bool { !isStopping }

    func wait(forReadable file: borrowing FileDescriptor) -> Bool { true }

    func noteRead(_ count: Int64, of size: Int64) {}

    /// Passes on what is collected.
    mutating func pass() {
        guard !isStopping, !(work.isEmpty && failures.isEmpty) else { return }
        isStopping = !take(work, failures)
        work = []
        failures = []
    }
}
