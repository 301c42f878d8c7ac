import CurlTransport
import HTTPTypes

extension FetchJob {
    /// Fields that say themselves which part or which form of a body is wanted.
    private static let selecting: [HTTPField.Name] = [
        .range, .ifRange, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince,
        .acceptEncoding,
    ]

    /// Whether a part of the body may be kept, and the rest asked for: a plain GET.
    var mayBeParted: Bool {
        guard !isRobots, earlier == nil else { return false }
        guard let request = target.details?.request else { return true }
        return request.method == .get && request.body == .none
            && !Self.selecting.contains { request.headerFields.contains($0) }
    }

    /// What is asked for next, where a part is there and this is the URL that it came from. Queries
    /// aside: those of signed URLs change.
    var requestedPart: RequestedPart? {
        if let segment { return segment.part }
        guard !asksForWhole, let claim = partial, let record = claim.content, mayBeParted,
            let piece = pieces(of: record, claim.folder).first,
            let url = (try? HTTPRequest(url: place.url))?.url,
            Self.withoutQuery(url) == Self.withoutQuery(record.finalURL)
        else { return nil }
        return record.part(piece)
    }

    /// In what pieces the missing part of a body is asked for: at once, if there are several. Only an
    /// entity tag makes sure enough that they belong together.
    func pieces(of record: PartialRecord, _ folder: PartialFolder) -> [Range<Int64>] {
        let gaps = record.ranges.gaps(upTo: record.length)
        guard folder.segments > 1, !isInOnePiece, record.length >= SegmentPlan.shortestBody,
            case .entityTag = record.validator
        else { return Array(gaps.prefix(1)) }
        return SegmentPlan.pieces(of: gaps, upTo: folder.segments)
    }

    /// What is asked for at once where a server can't make anything of being asked for a part, or fails of
    /// it again; nil where that isn't what an attempt has come to.
    func askingForWhole(after outcome: AttemptOutcome, _ policy: RetryPolicy) -> FetchJob? {
        guard segment == nil, requestedPart != nil else { return nil }
        switch outcome.status {
        case 400, 501: break
        // That may pass by itself, and asking for less than all is worth another attempt.
        case 500 where attempts > 1 || policy.limit == 0: break
        default: return nil
        }
        var job = continuing
        job.asksForWhole = true
        job.isInOnePiece = true
        return job
    }

    private static func withoutQuery(_ url: String) -> Substring {
        url.prefix { $0 != "?" && $0 != "#" }
    }

    /// The request for that.
    func asking(for part: RequestedPart) -> FetchTarget {
        let request = place.details?.request ?? BatchRequest(url: place.url)
        return (try? FetchTarget(request, part: part)) ?? place
    }
}

extension PartialRecord {
    /// Of a body that has just begun; nil for one of which no part is kept.
    init?(of head: ResponseHead, answering request: HTTPRequest, for job: FetchJob) {
        // Most are too short, and known to be so by this alone.
        guard head.statusCode == 200, !head.isEncoded,
            let length = head.firstValue(of: .contentLength).flatMap({ Int64($0) }),
            (PartialFolder.shortest...PartialFolder.longest).contains(length),
            let validator = BodyValidator(of: head),
            // Then that is no length.
            head.firstValue(of: .transferEncoding) == nil, let finalURL = request.url
        else { return nil }
        self.init(url: job.target.url, finalURL: finalURL, validator: validator, length: length)
    }
}
