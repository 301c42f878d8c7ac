/// A rate limit for the start of requests.
public struct RequestRate: Sendable, Hashable {
    /// The time between two starts.
    public let interval: Duration

    /// Creates a rate; `nil` if it is less than one request a day.
    public init?(perSecond: Double) {
        guard perSecond.isFinite, perSecond >= 1 / 86_400 else { return nil }
        interval = .seconds(1 / perSecond)
    }

    /// Parses `5/s`, `30/m`, `100/h`, or a number of requests per second.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let count = parts.first.flatMap({ Double(String($0)) }), parts.count <= 2
        else { return nil }
        let seconds: Double? =
            switch parts.count == 2 ? String(parts[1]) : "s" {
            case "s", "sec": 1
            case "m", "min": 60
            case "h": 3600
            default: nil
            }
        guard let seconds else { return nil }
        self.init(perSecond: count / seconds)
    }
}
