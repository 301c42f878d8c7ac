/// What a list says about a URL beside the URL itself, kept apart: most lists say nothing, and
/// thousands of URLs wait.
final class RequestDetails: Sendable, Hashable {
    let request: BatchRequest
    /// What is asked for, where the rest is there.
    let part: RequestedPart?

    init(_ request: BatchRequest, part: RequestedPart? = nil) {
        self.request = request
        self.part = part
    }

    /// Bytes of content that it keeps in memory.
    var weight: Int {
        if case .bytes(let bytes) = request.body { bytes.count } else { 0 }
    }

    static func == (lhs: RequestDetails, rhs: RequestDetails) -> Bool {
        lhs === rhs || lhs.request == rhs.request && lhs.part == rhs.part
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(request)
        hasher.combine(part)
    }
}
