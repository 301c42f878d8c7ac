import Posix
import Synchronization

/// Writes a body to its own file, which is kept if incomplete.
final class PartialBody: ResumableBody {
    private enum Place {
        case unopened
        case resumable(PartialFile)
        /// Another run fetches the same body: this one is written without resume support.
        case plain(NamedFile)
    }

    private struct State {
        var place = Place.unopened
        var position: Int64
    }

    /// Never contended: one disk thread at a time uses this lock.
    private let state: Mutex<State>
    private let claim: PartialClaim
    private let record: PartialRecord
    private let placement: FilePlacement
    let segmentedFile: SegmentedFile?
    let limit: Int64?

    /// - Parameters:
    ///   - record: The ranges that exist already.
    ///   - position: The offset in the body of the next received byte.
    ///   - segmentedFile: The file of a body that is fetched in several concurrent pieces.
    ///   - limit: The number of bytes to receive; `nil` for all.
    init(
        _ claim: PartialClaim,
        _ record: PartialRecord,
        at position: Int64,
        _ placement: FilePlacement,
        in segmentedFile: SegmentedFile? = nil,
        limit: Int64? = nil
    ) {
        self.claim = claim
        self.record = record
        self.placement = placement
        self.segmentedFile = segmentedFile
        self.limit = limit
        state = Mutex(State(position: position))
    }

    var isPartial: Bool { segmentedFile != nil || record.ranges.count > 0 }

    func append(_ bytes: [UInt8]) throws(BatchFailure) {
        try state.withLock { state throws(BatchFailure) in
            if case .unopened = state.place { state.place = try open() }
        }
        do throws(FileError) {
            try state.withLock { state throws(FileError) in
                guard case .resumable(let file) = state.place else { return }
                try file.write(bytes, at: state.position)
                state.position += Int64(bytes.count)
            }
        } catch {
            throw BatchFailure(.output, error)
        }
        if case .plain(let file) = state.withLock({ $0.place }) { try file.append(bytes) }
    }

    /// Opens the file. A body whose incomplete file can't be kept is written without resume
    /// support.
    private func open() throws(BatchFailure) -> Place {
        do throws(FileError) {
            if let segmentedFile { return .resumable(try segmentedFile.file()) }
            if let file = try PartialFile(claim, record) { return .resumable(file) }
            guard isPartial else { return .plain(NamedFile(placement)) }
            throw FileError.inUse(claim.path)
        } catch {
            guard isPartial || error.isPersistent else { return .plain(NamedFile(placement)) }
            var failure = BatchFailure(.output, error)
            failure.isPartUnavailable = !error.isPersistent
            throw failure
        }
    }

    // The end of one piece doesn't decide about the file, which waits for all pieces.

    func drop() {
        if let segmentedFile { return segmentedFile.abandon() }
        let place = state.withLock { state in
            defer { state.place = .unopened }
            return state.place
        }
        switch place {
        case .plain(let file): file.drop()
        case .resumable(let file): Self.discard(file)
        case .unopened: if isPartial { claim.folder.discard(claim) }
        }
    }

    func commit() throws(BatchFailure) -> BodyEnd { try commit(checking: nil) }

    func commit(checking verifier: BodyVerifier?) throws(BatchFailure) -> BodyEnd {
        if let segmentedFile {
            segmentedFile.check(with: verifier)
            return .dropped
        }
        switch state.withLock({ $0.place }) {
        case .unopened: return .dropped
        case .plain(let file): return try file.commit()
        case .resumable(let file):
            guard file.isWhole else { return try Self.suspend(file) }
            return try Self.commit(file, checking: verifier, placement)
        }
    }

    func suspend() throws(BatchFailure) -> BodyEnd {
        if segmentedFile != nil { return .dropped }
        switch state.withLock({ $0.place }) {
        case .unopened: return .dropped
        case .plain(let file):
            file.drop()
            return .dropped
        case .resumable(let file): return try Self.suspend(file)
        }
    }
}

extension PartialBody {
    /// Deletes the file and its record. Disk thread only, as the other functions here.
    static func discard(_ file: PartialFile) {
        file.claim.note(nil)
        guard file.isAtPath else { return }
        file.claim.folder.removeRecord(file.claim)
        try? FileSystem.remove(file.claim.path)
    }

    /// Keeps the incomplete file for another attempt.
    static func suspend(_ file: PartialFile) throws(BatchFailure) -> BodyEnd {
        do throws(FileError) {
            try file.suspend()
        } catch {
            throw BatchFailure(.output, error)
        }
        return .partial(file.claim)
    }

    /// Verifies a complete file and moves it to its final name.
    static func commit(
        _ file: PartialFile,
        checking verifier: BodyVerifier?,
        _ placement: FilePlacement
    ) throws(BatchFailure) -> BodyEnd {
        do throws(FileError) {
            if let verifier {
                try file.read { verifier.update($0) }
                if let failure = verifier.finish().failure {
                    discard(file)
                    return .mismatched(failure)
                }
            }
            // A different file at this path belongs to another run, and its content is unknown.
            guard file.isAtPath else { throw FileError.isMissing(file.claim.path) }
            let claim = file.claim
            claim.note(nil)
            claim.folder.removeRecord(claim)
            return try placement.place(try placement.adopt(claim.path))
        } catch {
            discard(file)
            throw BatchFailure(.output, error)
        }
    }
}
