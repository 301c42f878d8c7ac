import Synchronization
import TestSupport

@testable import BatchFetch

/// Makes single attempts with the real transport, without a run.
struct AttemptRun {
    let fetcher: TransportFetcher

    init(_ change: (inout BatchConfiguration) -> Void = { _ in }) throws {
        // With one event loop, consecutive requests share their connection.
        var configuration = BatchConfiguration(eventLoopCount: 1)
        change(&configuration)
        fetcher = try TransportFetcher(configuration)
    }

    func outcome(
        _ target: FetchTarget,
        keepsConnection: Bool = true,
        sink: any BodySink = MemorySink(limit: 1 << 20)
    ) async -> AttemptOutcome {
        await withCheckedContinuation { continuation in
            fetcher.start(target, keepsConnection: keepsConnection, sink: { _, _ in sink }) {
                continuation.resume(returning: $0)
            }
        }
    }

    func outcome(
        _ url: String,
        sink: any BodySink = MemorySink(limit: 1 << 20)
    ) async throws -> AttemptOutcome {
        await outcome(try FetchTarget(url), sink: sink)
    }
}

extension AttemptOutcome {
    /// The body, if it ended in memory.
    var text: String? {
        guard case .memory(let bytes) = end else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    var isDropped: Bool { if case .dropped = end { true } else { false } }
}

/// A sink with a fixed answer and a fixed end.
final class FixedSink: BodySink {
    private let demand: BodyDemand
    private let end: BodyEnd
    private let completeness = Mutex<[Bool]>([])

    init(_ demand: BodyDemand = .more, end: BodyEnd = .dropped) {
        self.demand = demand
        self.end = end
    }

    /// The arguments of all calls of `finish`.
    var finished: [Bool] { completeness.withLock { $0 } }

    func receive(_ bytes: Span<UInt8>, flow: any FlowControl) -> BodyDemand { demand }

    func finish(isComplete: Bool, _ done: @escaping @Sendable (BodyEnd) -> Void) {
        completeness.withLock { $0.append(isComplete) }
        done(end)
    }
}

/// Records which paused body is resumed.
final class RecordingFlow: FlowControl {
    private let number: Int
    private let resumed: EventRecorder<Int>

    init(_ number: Int = 0, _ resumed: EventRecorder<Int> = EventRecorder()) {
        self.number = number
        self.resumed = resumed
    }

    func resumeReceiving() { resumed.record(number) }
}
