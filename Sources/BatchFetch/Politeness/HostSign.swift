/// What the end of an attempt says about its host.
enum HostSign: Sendable, Hashable {
    /// It did what it was asked for; the first byte came after so long.
    case healthy(Duration)
    /// It answered, and no faster attempts follow from that.
    case answered
    /// It asked for fewer requests.
    case overloaded
    /// It failed, or couldn't be reached.
    case failing
    /// Nothing: the attempt ended for reasons of our own.
    case neutral

    /// - Parameter asksForPause: Whether it said how long it is to be left alone.
    init(_ outcome: AttemptOutcome, asksForPause: Bool = false) {
        guard let failure = outcome.failure else {
            self = .healthy(outcome.timings.firstByte ?? outcome.timings.total ?? .zero)
            return
        }
        self =
            switch failure.cause {
            // Who doesn't say how long is left alone like who only fails, if there are many such answers.
            case .status(429) where asksForPause: .overloaded
            case .status(503) where asksForPause: .overloaded
            case .status(408), .status(429), .status(500), .status(502), .status(503), .status(504):
                .failing
            case .status: .answered
            case .transfer where outcome.isUnanswered: .neutral
            case .transfer(let isTransient, _): isTransient ? .failing : .neutral
            case .mismatch, .permanent: .neutral
            }
    }
}
