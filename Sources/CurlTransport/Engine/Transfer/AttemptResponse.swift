/// The progress of one attempt's response: its head, and the received part of its body.
struct AttemptResponse {
    /// A head that is valid only if libcurl doesn't answer it with credentials.
    private(set) var provisionalHead: ResponseHead?
    /// Whether libcurl has sent the request again in answer to that head.
    private var hasAnsweredChallenge = false

    private(set) var hasHead = false
    /// Whether the response is an error, after which the rest of the request isn't sent.
    private(set) var isRefusal = false
    /// Whether the response is the requested part of the body.
    private(set) var isPartial = false
    /// Whether the response has a body, with a length to check.
    private(set) var hasBody = false
    var contentLength: Int64?
    /// How many bytes of the body were delivered, after decoding.
    var bodyBytes: Int64 = 0

    /// Whether the final head has arrived, or one that may be it.
    var hasBegun: Bool { hasHead || provisionalHead != nil }

    /// Whether only the end of the stream or connection marks the end of the body.
    var hasBodyOfUnknownLength: Bool { hasBody && contentLength == nil }

    /// Keeps a head until it is known whether libcurl answers it with credentials.
    mutating func hold(_ head: ResponseHead) {
        provisionalHead = head
        hasAnsweredChallenge = false
    }

    /// Discards the held head, because another response follows.
    mutating func discardHeldHead() {
        provisionalHead = nil
    }

    /// Returns the held head, which is the response, because libcurl hasn't answered it.
    mutating func takeHeldHead() -> ResponseHead? {
        defer { provisionalHead = nil }
        return provisionalHead
    }

    /// Records that libcurl sends credentials. Returns false if no head requests them.
    mutating func answerChallenge() -> Bool {
        guard provisionalHead != nil, !hasAnsweredChallenge else { return false }
        hasAnsweredChallenge = true
        return true
    }

    /// Records the final head.
    mutating func accept(_ head: ResponseHead, ofHeadRequest isHeadRequest: Bool) {
        hasHead = true
        isRefusal = head.statusCode >= 400
        hasBody = head.mayHaveBody && !isHeadRequest
        isPartial = head.statusCode == 206
    }
}
