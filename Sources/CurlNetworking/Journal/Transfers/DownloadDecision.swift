internal import Foundation
internal import HTTPSemantics

/// What a response means for a download (RFC 9110, 13.1.5, 14 and 15.3.7).
enum DownloadDecision: Sendable, Equatable {
    /// The response has the missing part, or the beginning of it. `total` is the length of the
    /// whole content; if it is `nil`, the end of the response isn't the end of the content.
    case resume(total: Int64?)
    /// The response has the whole content, perhaps another one: existing bytes are discarded.
    case restart
    /// Nothing is missing: the part file is complete.
    case isComplete
    /// The response is unusable, and the whole content is requested.
    case requestWholeContent
    case fail(TransferJobFailure)

    /// A requested part: from an offset to the end, of the content that a validator identifies.
    struct Rest: Sendable, Equatable {
        let offset: Int64
        let validator: String
        let total: Int64?

        fileprivate var identity: StrongValidator { StrongValidator(fieldValue: validator) }
    }

    /// - Parameter rest: The requested part; `nil` if the whole content was requested.
    init(_ response: ResponseFacts, askedFor rest: Rest?) {
        switch response.status {
        case 206:
            self = rest.map { Self.part(response, $0) } ?? .fail(Self.unasked)
        case 416:
            guard let rest else {
                self = .fail(response.failure)
                return
            }
            self =
                !rest.identity.differs(from: Self.field(response)) && Self.isWhole(response, rest)
                ? .isComplete : .requestWholeContent
        case 200..<300:
            self = .restart
        default:
            self = .fail(response.failure)
        }
    }

    private static let unasked = TransferJobFailure(
        "The server sent a partial response (206), but the whole content was requested.",
        code: 206
    )

    private static func part(_ response: ResponseFacts, _ rest: Rest) -> DownloadDecision {
        guard let part = response.part, part.range.lowerBound == rest.offset,
            response.hasAnnouncedPart, !response.isCoded,
            // A server that ignores `If-Range` sends a part of its current content.
            !rest.identity.isContradicted(by: field(response)), fits(part.length, rest.total)
        else { return .requestWholeContent }
        let total = part.length ?? rest.total
        return part.range.upperBound <= total ?? .max ? .resume(total: total) : .requestWholeContent
    }

    private static func field(_ response: ResponseFacts) -> (String) -> String? {
        { $0 == "ETag" ? response.entityTag : response.lastModified }
    }

    private static func isWhole(_ response: ResponseFacts, _ rest: Rest) -> Bool {
        response.unsatisfiedLength == rest.offset && fits(rest.offset, rest.total)
    }

    private static func fits(_ total: Int64?, _ other: Int64?) -> Bool {
        guard let total, let other else { return true }
        return total == other
    }
}
