import CurlTransport
import HTTPTypes

/// The mirror that a job uses after other URLs of its line have failed.
///
/// It is a separate object because most jobs have none and thousands of jobs are queued.
final class JobMirror: Sendable {
    /// The mirror with the line's other details.
    let target: FetchTarget
    /// The position in the line's mirrors, from 0.
    let index: Int
    /// The number of attempts at earlier URLs of the line.
    let attemptsBefore: Int
    /// Why the line's first URL failed.
    let firstFailure: BatchFailure

    init(_ target: FetchTarget, at index: Int, attemptsBefore: Int, firstFailure: BatchFailure) {
        self.target = target
        self.index = index
        self.attemptsBefore = attemptsBefore
        self.firstFailure = firstFailure
    }
}

extension FetchJob {
    /// The URL that the job uses: that of its line, or a mirror.
    var source: FetchTarget { mirror?.target ?? target }

    /// The number of attempts started at ``source``.
    var attemptsAtSource: Int { attempts - (mirror?.attemptsBefore ?? 0) }

    /// The job with the next mirror; `nil` if there is none, or if another URL wouldn't help.
    ///
    /// - Parameter result: The result of the job without a mirror.
    func usingNextMirror(after result: BatchResult) -> FetchJob? {
        guard segment == nil, !isRobots, let failure = result.failure, failure.mayHaveMirror,
            let request = target.details?.request, !request.mirrors.isEmpty
        else { return nil }
        let next = mirror.map { $0.index + 1 } ?? 0
        for index in next..<max(next, request.mirrors.count) {
            guard let target = try? target.mirror(request.mirrors[index]) else { continue }
            var job = self
            job.mirror = JobMirror(
                target,
                at: index,
                attemptsBefore: attempts,
                firstFailure: mirror?.firstFailure ?? failure
            )
            job.redirects = nil
            job.isContinuing = false
            job.hasMismatched = false
            job.isInOnePiece = false
            job.lastResult = nil
            return job
        }
        return nil
    }

    /// The result with the failure of the line's first URL, if a mirror failed last.
    func summarising(_ result: BatchResult) -> BatchResult {
        guard let mirror, let failure = result.failure, failure.mayHaveMirror else { return result }
        var result = result
        result.failure = failure.adding(
            "all \(mirror.index + 2) URLs of the line failed, the first one: "
                + mirror.firstFailure.message
        )
        return result
    }
}

extension BatchFailure {
    /// Failures that another URL of the same body wouldn't change.
    private static let withoutMirror: Set<Code> = [
        .bodyTooLarge, .nameCollision, .existingFile, .output, .input, .configuration,
        .totalReached, .journal, .resources, .cancelled, .invalidLine, .lineTooLong,
    ]

    /// Whether another URL of the same body may be fetched instead.
    var mayHaveMirror: Bool { !endsRun && !Self.withoutMirror.contains(code) }
}

extension FetchTarget {
    /// A mirror of this target, without the fields that are meant for this target's origin.
    ///
    /// - Throws: ``BatchFailure/Code/invalidURL``.
    func mirror(_ url: String) throws(BatchFailure) -> FetchTarget {
        var request = details?.request ?? BatchRequest(url: url)
        request.url = url
        request.mirrors = []
        let mirror = try FetchTarget(request)
        guard mirror.hostKey != hostKey || mirror.isSecure != isSecure else { return mirror }
        if request.sharesCredentials {
            request.headerFields.removeAll { ["host", "origin"].contains($0.name.canonicalName) }
        } else {
            RedirectFields.removePrivate(from: &request.headerFields)
        }
        return try FetchTarget(request)
    }
}
