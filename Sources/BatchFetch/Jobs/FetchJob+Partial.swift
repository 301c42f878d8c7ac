import CurlTransport
internal import HTTPSemantics
import HTTPTypes
internal import Posix

extension FetchJob {
    /// Request fields that select a part or a representation themselves.
    private static let selecting: [HTTPField.Name] = [
        .range, .ifRange, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince,
        .acceptEncoding,
    ]

    /// Whether an incomplete body may be kept and resumed: only for a plain `GET`.
    var isResumable: Bool {
        guard !isRobots, earlier == nil else { return false }
        guard let request = target.details?.request else { return true }
        return request.method == .get && request.body == .none
            && !Self.selecting.contains { request.headerFields.contains($0) }
    }

    /// The part to request next; `nil` if there is nothing to resume.
    ///
    /// The incomplete body must come from the URL that is requested next. The query is ignored,
    /// because the queries of signed URLs change.
    var requestedPart: RequestedPart? {
        if let segment { return segment.part }
        guard !requestsWhole, let claim = partial, let record = claim.content, isResumable,
            let piece = pieces(of: record, claim.folder).first,
            let url = (try? HTTPRequest(url: place.url))?.url,
            Self.withoutQuery(url) == Self.withoutQuery(record.finalURL)
        else { return nil }
        return record.part(piece)
    }

    /// The pieces in which the missing bytes are requested.
    ///
    /// Several pieces are requested concurrently. They require an entity tag: only it ensures that
    /// they belong together.
    func pieces(of record: PartialRecord, _ folder: PartialFolder) -> [Range<Int64>] {
        let gaps = record.ranges.gaps(upTo: record.length)
        guard folder.segments > 1, !isInOnePiece, record.length >= SegmentPlan.shortestBody,
            case .entityTag = record.validator
        else { return Array(gaps.prefix(1)) }
        return SegmentPlan.pieces(of: gaps, upTo: folder.segments)
    }

    /// The job that requests the whole body after a range request failed.
    ///
    /// This applies where the server rejects range requests (400, 501), and where it answers 500
    /// again or no retry is allowed. `nil` for any other outcome.
    func restartingWhole(after outcome: AttemptOutcome, _ policy: BatchRetryPolicy) -> FetchJob? {
        guard segment == nil, requestedPart != nil else { return nil }
        switch outcome.status {
        case 400, 501: break
        // A 500 may be temporary, and resuming saves bytes: worth another attempt.
        case 500 where attemptsAtSource > 1 || policy.limit == 0: break
        default: return nil
        }
        var job = continuing
        job.requestsWhole = true
        job.isInOnePiece = true
        return job
    }

    private static func withoutQuery(_ url: String) -> Substring {
        url.prefix { $0 != "?" && $0 != "#" }
    }

    /// The target with the fields that request `part`.
    func rangeTarget(for part: RequestedPart) -> FetchTarget {
        let request = place.details?.request ?? BatchRequest(url: place.url)
        return (try? FetchTarget(request, part: part)) ?? place
    }
}

extension PartialRecord {
    /// Creates the record of a body whose response has just begun; `nil` if it isn't kept in part.
    init?(of head: ResponseHead, answering request: HTTPRequest, for job: FetchJob) {
        // Most bodies are too short, which this check alone decides.
        guard head.statusCode == 200,
            let length = head.firstValue(of: .contentLength).flatMap({ Int64($0) }),
            (PartialFolder.shortest...PartialFolder.longest).contains(length),
            let validator = RangeRequest.validator(
                receivedAt: WallClock.secondsSince1970,
                values: head.values(of:)
            ),
            // With `Transfer-Encoding`, `Content-Length` is not the length.
            head.firstValue(of: .transferEncoding) == nil, let finalURL = request.url
        else { return nil }
        self.init(url: job.target.url, finalURL: finalURL, validator: validator, length: length)
    }
}
