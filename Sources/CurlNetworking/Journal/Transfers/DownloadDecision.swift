internal import HTTPSemantics

/// What a response means for a download.
enum DownloadDecision: Sendable, Equatable {
    /// The response has the missing part, or the beginning of it, up to the position `end`. `total`
    /// is the length of the whole content; if it is `nil`, the end of the response isn't the end of
    /// the content.
    case resume(end: Int64, total: Int64?)
    /// The response has the whole content, perhaps another one: existing bytes are discarded.
    case restart
    /// Nothing is missing: the part file is complete.
    case isComplete
    /// The response is unusable, and the whole content is requested.
    case requestWholeContent
    case fail(TransferJobFailure)

    /// - Parameter rest: The requested part; `nil` if the whole content was requested.
    init(_ response: ResponseFacts, askedFor rest: RangeRequest?) {
        guard let rest else {
            self = Self.decision(onWhole: response)
            return
        }
        let answer = rest.answer(
            status: response.status,
            bodyLength: response.length,
            values: response.values(of:)
        )
        self =
            switch answer {
            case .part(let part):
                .resume(end: part.range.upperBound, total: part.length ?? rest.length)
            case .unusablePart, .unsatisfiable: .requestWholeContent
            case .whole: .restart
            case .nothingMissing: .isComplete
            case .failure: .fail(response.failure)
            }
    }

    private static func decision(onWhole response: ResponseFacts) -> DownloadDecision {
        switch response.status {
        case 206: .fail(unrequestedPart)
        case 200..<300: .restart
        default: .fail(response.failure)
        }
    }

    private static let unrequestedPart = TransferJobFailure(
        "The server sent a partial response (206), but the whole content was requested.",
        code: 206
    )
}
