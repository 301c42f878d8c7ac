import Curl
import Synchronization

/// A body that becomes a file of its own, and of which a part is kept if the transfer breaks off.
final class PartialBody: ResumableBody {
    private enum Place {
        case unopened
        case parted(PartialFile)
        /// Another run is about to fetch the same: this body goes on as any other.
        case plain(NamedFile)
    }

    private struct State {
        var place = Place.unopened
        var position: Int64
    }

    /// For the disk threads alone, one at a time: nobody waits for this lock.
    private let state: Mutex<State>
    private let claim: PartialClaim
    private let record: PartialRecord
    private let placement: FilePlacement
    let group: SegmentGroup?
    let limit: Int64?

    /// - Parameters:
    ///   - record: What is there.
    ///   - position: Where in the body the bytes that come belong.
    ///   - group: Of several pieces of the body that are fetched at once.
    ///   - limit: How many bytes are to come, if it isn't all that does.
    init(
        _ claim: PartialClaim,
        _ record: PartialRecord,
        at position: Int64,
        _ placement: FilePlacement,
        in group: SegmentGroup? = nil,
        limit: Int64? = nil
    ) {
        self.claim = claim
        self.record = record
        self.placement = placement
        self.group = group
        self.limit = limit
        state = Mutex(State(position: position))
    }

    var isParted: Bool { group != nil || record.ranges.count > 0 }

    func append(_ bytes: [UInt8]) throws(BatchFailure) {
        try state.withLock { state throws(BatchFailure) in
            if case .unopened = state.place { state.place = try open() }
        }
        do throws(FileError) {
            try state.withLock { state throws(FileError) in
                guard case .parted(let file) = state.place else { return }
                try file.write(bytes, at: state.position)
                state.position += Int64(bytes.count)
            }
        } catch {
            throw BatchFailure(.output, error)
        }
        if case .plain(let file) = state.withLock({ $0.place }) { try file.append(bytes) }
    }

    /// Where parts can't be kept, for whatever reason, a body goes on as any other.
    private func open() throws(BatchFailure) -> Place {
        do throws(FileError) {
            if let group { return .parted(try group.file()) }
            if let file = try PartialFile(claim, record) { return .parted(file) }
            guard isParted else { return .plain(NamedFile(placement)) }
            throw FileError.inUse(claim.path)
        } catch {
            guard isParted || error.isLasting else { return .plain(NamedFile(placement)) }
            var failure = BatchFailure(.output, error)
            failure.isPartUnavailable = !error.isLasting
            throw failure
        }
    }

    // Of several pieces none decides what becomes of the file: they are waited for.

    func drop() {
        if let group { return group.abandon() }
        let place = state.withLock { state in
            defer { state.place = .unopened }
            return state.place
        }
        switch place {
        case .plain(let file): file.drop()
        case .parted(let file): Self.discard(file)
        case .unopened: if isParted { claim.folder.discard(claim) }
        }
    }

    func commit() throws(BatchFailure) -> BodyEnd { try commit(checking: nil) }

    func commit(checking verifier: BodyVerifier?) throws(BatchFailure) -> BodyEnd {
        if let group {
            group.check(with: verifier)
            return .dropped
        }
        switch state.withLock({ $0.place }) {
        case .unopened: return .dropped
        case .plain(let file): return try file.commit()
        case .parted(let file):
            guard file.isWhole else { return try Self.suspend(file) }
            return try Self.commit(file, checking: verifier, placement)
        }
    }

    func suspend() throws(BatchFailure) -> BodyEnd {
        if group != nil { return .dropped }
        switch state.withLock({ $0.place }) {
        case .unopened: return .dropped
        case .plain(let file):
            file.drop()
            return .dropped
        case .parted(let file): return try Self.suspend(file)
        }
    }
}

extension PartialBody {
    /// Leaves nothing behind. On a disk thread, as are the others.
    static func discard(_ file: PartialFile) {
        file.claim.note(nil)
        guard file.isThere else { return }
        file.claim.folder.removeRecord(file.claim)
        try? FileSystem.remove(file.claim.path)
    }

    /// Leaves what is there for another attempt.
    static func suspend(_ file: PartialFile) throws(BatchFailure) -> BodyEnd {
        do throws(FileError) {
            try file.suspend()
        } catch {
            throw BatchFailure(.output, error)
        }
        return .partial(file.claim)
    }

    /// Checks a file in which nothing is missing, and gives it its name.
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
            // Another file of its name would be another run's, and nobody knows what is in it.
            guard file.isThere else { throw FileError.isMissing(file.claim.path) }
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
