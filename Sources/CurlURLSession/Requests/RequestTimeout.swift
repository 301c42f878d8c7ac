internal import Foundation

/// A request's time limit, and whether somebody chose it: a chosen one, be it the default's 60
/// seconds, goes before a session's, and the default doesn't.
struct RequestTimeout: Sendable {
    /// What a request has that nobody gave a limit.
    static let standard: TimeInterval = 60

    /// In seconds.
    var seconds: TimeInterval {
        didSet { isChosen = true }
    }
    private(set) var isChosen: Bool

    /// The limit that an initializer was given. Its default argument can't be told from 60 seconds
    /// that were written there.
    init(_ seconds: TimeInterval) {
        self.seconds = seconds
        isChosen = seconds != Self.standard
    }
}

// Equal requests time out after as many seconds; where the number comes from shows nowhere in them.
extension RequestTimeout: Hashable {
    static func == (lhs: RequestTimeout, rhs: RequestTimeout) -> Bool {
        lhs.seconds == rhs.seconds
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(seconds)
    }
}
