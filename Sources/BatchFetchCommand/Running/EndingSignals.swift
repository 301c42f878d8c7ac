import Posix

/// Decides what each signal to end does. Pure: the caller passes the current time.
///
/// A signal that comes twice within half a second counts once: `timeout` sends it to its child and
/// then to the process group of both.
struct EndingSignals: Sendable {
    /// What a signal does.
    enum Effect: Sendable, Hashable {
        /// It is a repetition of the signal before.
        case nothing
        /// Starts no more URLs.
        case stop
        /// Cancels the URLs in flight.
        case cancel
        /// Ends the process at once.
        case endProcess
    }

    private static let repetition = Duration.milliseconds(500)

    /// The last signal that wasn't a repetition; `nil` if there was none.
    private(set) var last: Int32?
    private var time = MonotonicTime(nanoseconds: .min)
    private var count = 0

    init() {}

    /// Records a signal.
    mutating func receive(_ number: Int32, at now: MonotonicTime) -> Effect {
        if number == last, now < time.advanced(by: Self.repetition) { return .nothing }
        last = number
        time = now
        count += 1
        return switch count {
        case 1: .stop
        case 2: .cancel
        default: .endProcess
        }
    }
}
