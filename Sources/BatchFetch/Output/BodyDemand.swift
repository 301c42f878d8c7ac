/// What a sink says to the bytes it was given.
enum BodyDemand: Sendable {
    /// More is welcome.
    case more
    /// No more until the sink lets the flow go on.
    case pause
    /// The body can't be taken: end the attempt.
    case stop
}
