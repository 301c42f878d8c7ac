/// How many requests may be started in a time.
public struct RequestRate: Sendable, Hashable {
    /// The time from one start to the next.
    public let interval: Duration

    /// Creates a rate; `nil` unless it is more than zero, and at least one in a day.
    public init?(perSecond: Double) {
        guard perSecond.isFinite, perSecond >= 1 / 86_400 else { return nil }
        interval = .seconds(1 / perSecond)
    }

    /// Reads `5/s`, `30/m`, `100/h`, or a number, which is per second.
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
