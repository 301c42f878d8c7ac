import Posix
import TestSupport

@testable import BatchFetch

/// Collects the lines that an `InputReader` reads, and can stop it.
struct LineCollector: LineReceiver {
    /// The bytes read at one call of `noteRead`, and the size of all.
    struct Amount: Sendable, Hashable {
        let count: Int64
        let size: Int64
    }

    /// The number of lines after which no more are taken.
    var limit = Int.max
    /// The result of `skipIfCompleted`.
    var skipResult = SkipResult.notCompleted
    /// The number of waits that end without a readable file.
    var interruptedWaits = 0
    /// Whether the reader has to stop when a wait was interrupted.
    var stopsWhenInterrupted = false

    private(set) var lines: [InputLine] = []
    /// The number of lines at each flush.
    private(set) var flushes: [Int] = []
    /// The lines of the records that `skipIfCompleted` was called for.
    private(set) var skippable: [Int] = []
    private let waits = Counter()
    private let reads = Watched<[Amount]>([])
    private var isFull = false

    /// The texts of the lines; empty for a line that isn't text.
    var texts: [String] {
        lines.map { line in
            if case .text(let text) = line.content { text } else { "" }
        }
    }

    /// The amounts that the reader has noted.
    var amounts: [Amount] { reads.read { $0 } }

    var isStopping: Bool {
        isFull || stopsWhenInterrupted && waits.value > 0
    }

    mutating func add(_ line: InputLine) -> Bool {
        guard lines.count < limit else {
            isFull = true
            return false
        }
        lines.append(line)
        return true
    }

    mutating func skipIfCompleted(_ record: InputRecord) -> SkipResult {
        skippable.append(record.line)
        if skipResult == .stop { isFull = true }
        return skipResult
    }

    mutating func flush() -> Bool {
        flushes.append(lines.count)
        return !isStopping
    }

    func wait(forReadable file: borrowing FileDescriptor) -> Bool {
        guard waits.value < interruptedWaits else { return true }
        waits.increment()
        return false
    }

    func noteRead(_ count: Int64, of size: Int64) {
        reads.update { $0.append(Amount(count: count, size: size)) }
    }
}
