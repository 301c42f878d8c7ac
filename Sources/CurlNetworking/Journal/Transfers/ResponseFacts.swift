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
    /// The content coding; bytes of encoded content can't be counted.
    var contentCoding: String?
    /// The length of the body in bytes; `nil` if unknown.
    var length: Int64?
    /// The server's `Retry-After`, in seconds from now; `nil` if it sent none.
    var retryAfter: TimeInterval?
}

extension ResponseFacts {
    init(_ response: HTTPURLResponse) {
        status = response.statusCode
        validator = response.resumeValidator?.fieldValue
        entityTag = response.value(forHTTPHeaderField: "ETag")
        lastModified = response.value(forHTTPHeaderField: "Last-Modified")
        contentRange = response.value(forHTTPHeaderField: "Content-Range")
        contentCoding = response.value(forHTTPHeaderField: "Content-Encoding")
        let isCoded = contentCoding.map { !$0.equalsIgnoringASCIICase("identity") } ?? false
        let isCounted = response.expectedContentLength >= 0 && !isCoded
        length = isCounted ? response.expectedContentLength : nil
        retryAfter = response.retryAfter()
    }

    /// The values of a field that decides about a range.
    func values(of name: String) -> [String] {
        let value =
            switch name {
            case "ETag": entityTag
            case "Last-Modified": lastModified
            case "Content-Range": contentRange
            case "Content-Encoding": contentCoding
            default: nil as String?
            }
        return value.map { [$0] } ?? []
    }

    /// Whether the status may be transient: the server is overloaded, or a gateway is broken.
    ///
    /// These are the statuses that requests are retried for, and all other server errors except 501
    /// and 505.
    var isTransient: Bool {
        switch status {
        case 501, 505: false
        default: status >= 500 || TransientStatus.codes.contains(status)
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
