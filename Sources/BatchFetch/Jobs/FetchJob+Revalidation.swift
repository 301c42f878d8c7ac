import CurlResilience
import CurlTransport
import HTTPTypes

extension FetchJob {
    /// Whether the next request goes to the URL that sent the validators; only that one gets them.
    private var isConditional: Bool {
        guard let earlier, !isRobots, let request = try? HTTPRequest(url: place.url) else {
            return false
        }
        return request.url == earlier.finalURL
    }

    /// The target of the next request, with its range or conditions.
    var nextTarget: FetchTarget {
        if let part = requestedPart { return rangeTarget(for: part) }
        guard let earlier, isConditional else { return place }
        var request = place.details?.request ?? BatchRequest(url: place.url)
        earlier.addConditions(to: &request.headerFields)
        return (try? FetchTarget(request)) ?? place
    }

    /// Whether a 304 confirms that the earlier body is still valid.
    func isUnchanged(by outcome: AttemptOutcome) -> Bool {
        guard case .status(304)? = outcome.failure?.cause else { return false }
        return isConditional
    }

    /// A redirect without the conditions and range of the redirected request.
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
    /// Adds an earlier result's data about a body that is unchanged.
    ///
    /// Values from the 304 itself take precedence.
    mutating func inherit(_ earlier: EarlierResponse) {
        isUnchanged = true
        path = earlier.path
        bytes = earlier.bytes
        transferredBytes = earlier.transferredBytes
        digests = earlier.digests
        contentType = contentType ?? earlier.contentType
        // Of the file, whatever the 304 says.
        contentEncoding = earlier.contentEncoding
        etag = etag ?? earlier.etag
        lastModified = lastModified ?? earlier.lastModified
    }
}
