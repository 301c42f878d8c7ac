internal import Foundation

/// What a response means for a download (RFC 9110, 13.1.5, 14 and 15.3.7).
enum DownloadDecision: Sendable, Equatable {
    /// The response has the rest. With how many bytes there are in all, where that is known.
    case goOn(total: Int64?)
    /// The response has all of it, be it that the content is another one: what there was goes.
    case beginAnew
    /// There is no rest: what there is, is whole.
    case isComplete
    /// The response is of no use, and all is asked for.
    case askForAll
    case fail(TransferJobFailure)

    /// What was asked for: the rest from here on, of content that is known by this.
    struct Rest: Sendable, Equatable {
        let offset: Int64
        let validator: String
        let total: Int64?
    }

    /// - Parameter rest: `nil` where all was asked for.
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
                Self.isSame(response, rest) && Self.isWhole(response, rest)
                ? .isComplete : .askForAll
        case 200..<300:
            self = .beginAnew
        default:
            self = .fail(response.failure)
        }
    }

    private static let unasked = TransferJobFailure(
        "The server answered with a part of the content, which wasn't asked for.",
        code: 206
    )

    private static func part(_ response: ResponseFacts, _ rest: Rest) -> DownloadDecision {
        guard response.hasPart(from: rest.offset), let range = response.range, !response.isCoded,
            isSame(response, rest), fits(range.total, rest.total)
        else { return .askForAll }
        return .goOn(total: range.total ?? rest.total)
    }

    /// A server that doesn't know `If-Range` sends the part of what there is now.
    private static func isSame(_ response: ResponseFacts, _ rest: Rest) -> Bool {
        let isTag = rest.validator.hasPrefix("\"")
        let told = isTag ? response.entityTag : response.lastModified
        return told == nil || told == rest.validator
    }

    private static func isWhole(_ response: ResponseFacts, _ rest: Rest) -> Bool {
        response.range?.total == rest.offset && fits(rest.offset, rest.total)
    }

    private static func fits(_ total: Int64?, _ other: Int64?) -> Bool {
        guard let total, let other else { return true }
        return total == other
    }
}
