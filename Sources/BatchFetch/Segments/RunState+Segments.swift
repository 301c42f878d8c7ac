internal import Logging

/// Bodies that are fetched in several pieces at once.
extension RunState {
    /// Lets the other pieces of a body wait for their turns, which come next.
    mutating func split(_ job: FetchJob, _ group: SegmentGroup) {
        openGroups += 1
        for job in group.jobs(beside: job).reversed() {
            if phase == .running {
                queues.add(job, host: job.place.hostKey, isFirst: true)
            } else {
                finish(job, job.interrupted)
            }
        }
        note(.debug) { .splitting(url: job.target.url, pieces: group.pieces.count) }
    }

    mutating func pieceEnded(_ group: SegmentGroup, _ outcome: AttemptOutcome) {
        if group.pieceEnded(outcome) { endedGroups.append(group) }
    }

    mutating func mainEnded(_ group: SegmentGroup, _ end: SegmentGroup.MainEnd) {
        if group.mainEnded(end) { endedGroups.append(group) }
    }

    mutating func takeEndedGroups() -> [SegmentGroup] {
        guard !endedGroups.isEmpty else { return [] }
        defer { endedGroups = [] }
        return endedGroups
    }
}
