import CurlTransport
import HTTPTypes

extension FetchJob {
    /// Whether what is asked for next has given the validators: no other URL is sent them.
    private var isConditional: Bool {
        guard let earlier, !isRobots, let request = try? HTTPRequest(url: place.url) else {
            return false
        }
        return request.url == earlier.finalURL
    }

    /// What is asked for next, with conditions where it has any.
    var asked: FetchTarget {
        if let part = requestedPart { return asking(for: part) }
        guard let earlier, isConditional else { return place }
        var request = place.details?.request ?? BatchRequest(url: place.url)
        earlier.addConditions(to: &request.headerFields)
        return (try? FetchTarget(request)) ?? place
    }

    /// Whether a response says that the earlier body is still the right one.
    func isUnchanged(by outcome: AttemptOutcome) -> Bool {
        guard case .status(304)? = outcome.failure?.cause else { return false }
        return isConditional
    }

    /// A redirect without the conditions of the request that it answers.
    func unconditional(_ redirect: Redirect) -> Redirect {
        var redirect = redirect
        if requestedPart != nil { RequestedPart.removeFields(from: &redirect.request.headerFields) }
        guard isConditional else { return redirect }
        redirect.request.headerFields[.ifNoneMatch] = nil
        redirect.request.headerFields[.ifModifiedSince] = nil
        return redirect
    }
}

extension BatchResult {
    /// What an earlier run says of the body, where that is still the right one: what the 304 says of
    /// it itself counts before.
    mutating func carryOn(_ earlier: EarlierResponse) {
        isUnchanged = true
        path = earlier.path
        bytes = earlier.bytes
        transferredBytes = earlier.transferredBytes
        digests = earlier.digests
        contentType = contentType ?? earlier.contentType
        etag = etag ?? earlier.etag
        lastModified = lastModified ?? earlier.lastModified
    }
}
