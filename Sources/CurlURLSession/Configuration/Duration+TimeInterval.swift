internal import Foundation

extension Duration {
    /// A time limit that is given in seconds; nil, no limit, for what is no positive number, or more
    /// than 100 years.
    ///
    /// Fractions count, to the nanosecond, and are never rounded to nothing.
    init?(limit seconds: TimeInterval) {
        guard seconds > 0, seconds < 3.2e9 else { return nil }
        self = .nanoseconds(Int64((seconds * 1e9).rounded(.up)))
    }
}
