internal import Logging

/// Bodies that are fetched in several concurrent pieces.
extension RunState {
    /// Queues the other pieces of a body, first at their host.
    mutating func split(_ job: FetchJob, _ group: SegmentGroup) {
        segments.open(group)
        for job in group.jobs(beside: job).reversed() {
            if phase == .running {
                queues.add(job, host: job.place.hostKey, isFirst: true)
            } else {
                finish(job, job.interrupted)
            }
        }
        notes.add(.debug) { .splitting(url: job.target.url, pieces: group.file.pieces.count) }
    }

}

/// The bodies of a run that are fetched in several concurrent pieces.
struct SegmentGroups: Sendable {
    /// The number of bodies whose attempt hasn't been concluded.
    private(set) var openCount = 0
    /// The bodies whose pieces have all ended since ``takeEnded()``.
    private var ended: [SegmentGroup] = []
    /// The bodies whose URL's own request hasn't ended, by their files.
    private var groups: [ObjectIdentifier: SegmentGroup] = [:]

    mutating func open(_ group: SegmentGroup) {
        openCount += 1
        groups[ObjectIdentifier(group.file)] = group
    }

    /// Records the end of a piece other than the first.
    mutating func pieceEnded(_ group: SegmentGroup, _ outcome: AttemptOutcome) {
        if group.pieceEnded(outcome) { ended.append(group) }
    }

    /// Records the end of the URL's own request, which fetches the first piece.
    mutating func mainEnded(_ file: SegmentedFile, _ end: SegmentGroup.MainEnd) {
        guard let group = groups.removeValue(forKey: ObjectIdentifier(file)) else { return }
        if group.mainEnded(end) { ended.append(group) }
    }

    mutating func takeEnded() -> [SegmentGroup] {
        guard !ended.isEmpty else { return [] }
        defer { ended = [] }
        return ended
    }

    /// Records that the attempt of a body is concluded.
    mutating func close() {
        assert(openCount > 0, "more segments ended than were started")
        openCount -= 1
    }
}
