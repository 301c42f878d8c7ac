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

    /// - Parameters:
    ///   - record: What is there.
    ///   - position: Where in the body the bytes that come belong.
    init(
        _ claim: PartialClaim,
        _ record: PartialRecord,
        at position: Int64,
        _ placement: FilePlacement
    ) {
        self.claim = claim
        self.record = record
        self.placement = placement
        state = Mutex(State(position: position))
    }

    var isParted: Bool { record.ranges.count > 0 }

    func append(_ bytes: [UInt8]) throws(BatchFailure) {
        do throws(FileError) {
            try state.withLock { state throws(FileError) in
                if case .unopened = state.place { state.place = try open() }
                guard case .parted(let file) = state.place else { return }
                try file.write(bytes, at: state.position)
                state.position += Int64(bytes.count)
            }
        } catch {
            throw BatchFailure(.output, error)
        }
        if case .plain(let file) = state.withLock({ $0.place }) { try file.append(bytes) }
    }

    private func open() throws(FileError) -> Place {
        if let file = try PartialFile(claim, record) { return .parted(file) }
        guard isParted else { return .plain(NamedFile(placement)) }
        throw FileError.inUse(claim.path)
    }

    func drop() {
        let place = state.withLock { state in
            defer { state.place = .unopened }
            return state.place
        }
        switch place {
        case .plain(let file): file.drop()
        case .parted: discard()
        case .unopened: if isParted { discard() }
        }
    }

    private func discard() {
        claim.note(nil)
        claim.folder.remove(claim)
    }

    func commit() throws(BatchFailure) -> BodyEnd { try commit(checking: nil) }

    func commit(checking verifier: BodyVerifier?) throws(BatchFailure) -> BodyEnd {
        let place = state.withLock { $0.place }
        guard case .parted(let file) = place else {
            guard case .plain(let file) = place else { return .dropped }
            return try file.commit()
        }
        guard file.isWhole else { return try suspend() }
        if let verifier, let failure = try check(file, verifier) {
            drop()
            return .mismatched(failure)
        }
        do throws(FileError) {
            let end = try placement.place(try placement.adopt(claim.path))
            discard()
            return end
        } catch {
            discard()
            throw BatchFailure(.output, error)
        }
    }

    private func check(
        _ file: PartialFile,
        _ verifier: BodyVerifier
    ) throws(BatchFailure) -> BatchFailure? {
        do throws(FileError) {
            try file.read { verifier.update($0) }
        } catch {
            throw BatchFailure(.output, error)
        }
        return verifier.finish().failure
    }

    func suspend() throws(BatchFailure) -> BodyEnd {
        let place = state.withLock { $0.place }
        guard case .parted(let file) = place else {
            if case .plain(let file) = place { file.drop() }
            return .dropped
        }
        do throws(FileError) {
            try file.suspend()
        } catch {
            throw BatchFailure(.output, error)
        }
        return .partial(claim)
    }
}
