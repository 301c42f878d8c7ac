internal import CurlURLSession
internal import Foundation

/// What of a response's head decides about a job.
struct ResponseFacts: Sendable, Equatable {
    var status = 200
    /// By what the same content is known again; `nil` where nothing does.
    var validator: String?
    var entityTag: String?
    var lastModified: String?
    var contentRange: String?
    /// The content is coded: bytes of it can't be counted.
    var isCoded = false
    /// `nil` where it isn't known.
    var length: Int64?
    /// In seconds from now; `nil` where the server doesn't say.
    var retryAfter: TimeInterval?
}

extension ResponseFacts {
    init(_ response: HTTPURLResponse) {
        status = response.statusCode
        validator = response.strongValidator
        entityTag = response.value(forHTTPHeaderField: "ETag")
        lastModified = response.value(forHTTPHeaderField: "Last-Modified")
        contentRange = response.value(forHTTPHeaderField: "Content-Range")
        let coding = response.value(forHTTPHeaderField: "Content-Encoding") ?? "identity"
        isCoded = coding.lowercased() != "identity"
        length = response.expectedContentLength >= 0 ? response.expectedContentLength : nil
        retryAfter = RetryAfter.delay(of: response)
        if isCoded { (validator, length) = (nil, nil) }
        if response.value(forHTTPHeaderField: "Accept-Ranges")?.lowercased() == "none" {
            validator = nil
        }
    }

    /// The part that a response to a request for one has: `bytes 5-9/10` or, with the status 416,
    /// `bytes */10` (RFC 9110, 14.4).
    var range: (start: Int64?, end: Int64?, total: Int64?)? {
        guard let contentRange,
            let match = contentRange.wholeMatch(
                of: /\s*bytes\s+(?:([0-9]+)-([0-9]+)|\*)\/([0-9]+|\*)\s*/
            )
        else { return nil }
        return (match.1.flatMap { Int64($0) }, match.2.flatMap { Int64($0) }, Int64(match.3))
    }

    /// Whether the response has the part from there on that it says it has: no byte more or less, and none
    /// beyond the end.
    func hasPart(from offset: Int64) -> Bool {
        guard let range, range.start == offset, let end = range.end, end >= offset,
            end < range.total ?? .max
        else { return false }
        return length.map { end - offset == $0 - 1 } ?? true
    }

    /// Whether the status is one that passes: the server is busy, or something before it is broken.
    var isTransient: Bool {
        switch status {
        case 408, 425, 429: true
        case 501, 505: false
        default: status >= 500
        }
    }

    /// What is told of a status that isn't a success.
    var failure: TransferJobFailure {
        let hint =
            status == 401 || status == 403
            ? " Header fields that may be secret aren't stored: see requestPreparation." : ""
        return TransferJobFailure(
            "The server answered with the status \(status).\(hint)",
            code: status,
            isTransient: isTransient
        )
    }
}
