import Posix
import Synchronization

/// The file of a body that is fetched in several concurrent pieces.
///
/// Each piece has its own request, and all of them write to this file. When the last one has ended,
/// the file is completed, kept for another attempt, or deleted.
final class SegmentedFile: Sendable {
    private struct State {
        var verifier: BodyVerifier?
        /// Whether the received bytes can't be used.
        var isAbandoned = false
    }

    let claim: PartialClaim
    /// The record at the time when the pieces were chosen.
    let record: PartialRecord
    /// The ranges to fetch. The response that the body began with is for the first.
    let pieces: [Range<Int64>]
    private let placement: FilePlacement
    private let state = Mutex(State())
    /// The file of all pieces. Used on disk threads only.
    private let opened = Mutex<PartialFile?>(nil)

    init(
        _ claim: PartialClaim,
        _ record: PartialRecord,
        _ pieces: [Range<Int64>],
        _ placement: FilePlacement
    ) {
        self.claim = claim
        self.record = record
        self.pieces = pieces
        self.placement = placement
    }

    /// The file, opened on the first call. Disk thread only.
    func file() throws(FileError) -> PartialFile {
        try opened.withLock { opened throws(FileError) in
            if let opened { return opened }
            guard let file = try PartialFile(claim, record) else { throw .inUse(claim.path) }
            opened = file
            return file
        }
    }

    /// Notes that the first piece is complete, with the body's verifier.
    func check(with verifier: BodyVerifier?) { state.withLock { $0.verifier = verifier } }

    /// Notes that the received bytes can't be used.
    func abandon() { state.withLock { $0.isAbandoned = true } }

    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// Ends the body after all pieces have ended. Disk thread only.
    ///
    /// - Parameters:
    ///   - isRefused: Whether a piece was refused, so that the received bytes can't be used.
    ///   - hasFailed: Whether the transfer of a piece has failed.
    /// - Returns: The end of the body, and its digests if it was complete.
    func close(
        isRefused: Bool,
        hasFailed: Bool
    ) throws(BatchFailure) -> (end: BodyEnd, digests: [DigestAlgorithm: [UInt8]]?) {
        let state = state.withLock { $0 }
        let file = opened.withLock { $0.take() }
        let isUnusable = isRefused || state.isAbandoned
        guard let file else {
            // No bytes were received, or another run writes the file.
            guard isUnusable || record.ranges.count == 0 else { return (.partial(claim), nil) }
            claim.folder.discard(claim)
            return (.dropped, nil)
        }
        guard !isUnusable else {
            PartialBody.discard(file)
            return (.dropped, nil)
        }
        guard !hasFailed, file.isWhole else { return (try PartialBody.suspend(file), nil) }
        let end = try PartialBody.commit(file, checking: state.verifier, placement)
        return (end, state.verifier?.finish().digests ?? [:])
    }
}
