import Synchronization
import TestSupport

@testable import BatchFetch

/// A body that records the calls of its sink instead of writing to a disk.
class RecordedBody: DiskBody, @unchecked Sendable {
    enum Call: Sendable, Hashable {
        case append(Int)
        case commit
        case commitChecking(Bool)
        case suspend
        case drop
    }

    let calls = EventRecorder<Call>()
    /// Opened by the test to let the first `append` return.
    let firstAppend = Gate()
    private let written = Mutex<[UInt8]>([])
    /// What `append` and `commit` throw.
    let appendFailure: BatchFailure?
    let commitFailure: BatchFailure?

    init(
        isBlocked: Bool = false,
        appendFailure: BatchFailure? = nil,
        commitFailure: BatchFailure? = nil
    ) {
        self.appendFailure = appendFailure
        self.commitFailure = commitFailure
        if !isBlocked { firstAppend.open() }
    }

    var bytes: [UInt8] { written.withLock { $0 } }

    func append(_ bytes: [UInt8]) throws(BatchFailure) {
        calls.record(.append(bytes.count))
        firstAppend.waitBlocking()
        if let appendFailure { throw appendFailure }
        written.withLock { $0 += bytes }
    }

    func commit() throws(BatchFailure) -> BodyEnd {
        calls.record(.commit)
        if let commitFailure { throw commitFailure }
        return .file(path: "recorded")
    }

    func drop() { calls.record(.drop) }
}

/// A recorded body that can be resumed.
final class RecordedResumableBody: RecordedBody, ResumableBody, @unchecked Sendable {
    var isPartial: Bool { true }
    var segmentedFile: SegmentedFile? { nil }
    var limit: Int64? { 7 }

    func commit(checking verifier: BodyVerifier?) throws(BatchFailure) -> BodyEnd {
        calls.record(.commitChecking(verifier != nil))
        return .file(path: "resumed")
    }

    func suspend() throws(BatchFailure) -> BodyEnd {
        calls.record(.suspend)
        return .existing(path: "suspended")
    }
}

/// Counts how often a sink resumes its transfer.
final class RecordedFlow: FlowControl {
    let resumed = Watched(0)

    func resumeReceiving() { resumed.update { $0 += 1 } }
}

extension BodyEnd {
    /// The end as text, for comparisons.
    var summary: String {
        switch self {
        case .dropped: "dropped"
        case .file(let path): "file \(path)"
        case .existing(let path): "existing \(path)"
        case .memory(let bytes): "memory \(bytes.count)"
        case .stored(let body): "stored \(body.count)"
        case .mismatched(let failure): "mismatched \(failure.message)"
        case .failed(let failure): "failed \(failure.code): \(failure.message)"
        case .shard(let name, let offset): "shard \(name) at \(offset)"
        case .partial: "partial"
        case .segment: "segment"
        }
    }
}

extension BodySink {
    /// Ends the body, and waits for the summary of its end.
    func ending(isComplete: Bool) async -> String {
        await withCheckedContinuation { continuation in
            finish(isComplete: isComplete) { continuation.resume(returning: $0.summary) }
        }
    }
}
