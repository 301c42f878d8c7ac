internal import CurlURLSession
internal import Foundation
internal import HTTPSemantics

/// The parts of a response's head that decide about a job.
struct ResponseFacts: Sendable, Equatable {
    var status = 200
    /// The strong validator that identifies the content; `nil` if there is none.
    var validator: String?
    var entityTag: String?
    var lastModified: String?
    var contentRange: String?
    /// Whether the content is encoded, so that its bytes can't be counted.
    var isCoded = false
    /// The length of the body in bytes; `nil` if unknown.
    var length: Int64?
    /// The server's `Retry-After`, in seconds from now; `nil` if it sent none.
    var retryAfter: TimeInterval?
}

extension ResponseFacts {
    init(_ response: HTTPURLResponse) {
        status = response.statusCode
        validator = response.strongValidator?.fieldValue
        entityTag = response.value(forHTTPHeaderField: "ETag")
        lastModified = response.value(forHTTPHeaderField: "Last-Modified")
        contentRange = response.value(forHTTPHeaderField: "Content-Range")
        let coding = response.value(forHTTPHeaderField: "Content-Encoding") ?? "identity"
        isCoded = coding.lowercased() != "identity"
        length = response.expectedContentLength >= 0 ? response.expectedContentLength : nil
        retryAfter = response.retryAfter()
        if isCoded { (validator, length) = (nil, nil) }
        if response.value(forHTTPHeaderField: "Accept-Ranges")?.lowercased() == "none" {
            validator = nil
        }
    }

    /// The part in a `206` response, and the whole length if known. `nil` if the `Content-Range` is
    /// invalid (RFC 9110, 14.4).
    var part: (range: Range<Int64>, length: Int64?)? {
        contentRange.flatMap { ContentRange($0) }.map { ($0.range, $0.length) }
    }

    /// The length of the whole content in a `416` response: `bytes */10` (RFC 9110, 14.4).
    var unsatisfiedLength: Int64? {
        contentRange.flatMap { ContentRange.unsatisfiedLength($0) }
    }

    /// Whether the body is as long as the part that its `Content-Range` announces; also true if the
    /// body's length isn't known yet.
    var hasAnnouncedPart: Bool {
        guard let range = part?.range, let length else { return part != nil }
        return length == range.upperBound - range.lowerBound
    }

    /// Whether the status may be transient: the server is overloaded, or a gateway is broken.
    var isTransient: Bool {
        switch status {
        case 408, 425, 429: true
        case 501, 505: false
        default: status >= 500
        }
    }

    /// The failure of a job whose response isn't a success.
    var failure: TransferJobFailure {
        let hint =
            status == 401 || status == 403
            ? " Secret header fields aren't stored; add them in requestPreparation." : ""
        return TransferJobFailure(
            "The server answered with the status \(status).\(hint)",
            code: status,
            isTransient: isTransient
        )
    }
}
