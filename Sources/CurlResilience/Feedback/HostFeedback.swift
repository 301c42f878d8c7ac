/// The host feedback from the end of an attempt.
package enum HostFeedback: Sendable, Hashable {
    /// The request succeeded; the first byte came after this time.
    case healthy(Duration)
    /// The host answered, but that doesn't raise the rate.
    case answered
    /// The host asked for fewer requests.
    case overloaded
    /// The host failed or couldn't be reached.
    case failing
    /// No information: the attempt ended for a reason on the client's side.
    case neutral
}
