internal import Foundation

/// How far a load by a protocol of one's own has come: what it says goes in, what is to be done comes
/// out.
///
/// A protocol may say things in an order of its own, too often, or too late. Whatever it says, a load
/// is told of at most one response, of data after that alone, and of one end.
struct ProtocolLoadState: Sendable {
    private enum Phase {
        case waiting
        /// `isAnswered` once there was a response.
        case loading(isAnswered: Bool)
        case ended
    }

    private var phase = Phase.waiting
    /// What came before the response.
    private var early: [Data] = []
    /// The challenges that nobody has answered yet, by their objects.
    private var challenges: Set<ObjectIdentifier> = []

    var isEnded: Bool {
        if case .ended = phase { true } else { false }
    }

    /// Whether the protocol is to start: not if it was stopped before.
    mutating func start() -> Bool {
        guard case .waiting = phase else { return false }
        phase = .loading(isAnswered: false)
        return true
    }

    /// The data that came before the response, to be told of after it; `nil` if there was a response
    /// before, or the load has ended.
    mutating func respond() -> [Data]? {
        guard case .loading(isAnswered: false) = phase else { return nil }
        phase = .loading(isAnswered: true)
        return early.take()
    }

    /// Whether to tell of data. What comes before the response is kept for later.
    mutating func load(_ data: Data) -> Bool {
        guard case .loading(let isAnswered) = phase, !data.isEmpty else { return false }
        if !isAnswered { early.append(data) }
        return isAnswered
    }

    enum End: Sendable, Equatable {
        /// The load has ended before.
        case ignored
        case finished
        /// There was no response; what data there was comes with it.
        case unanswered([Data])
    }

    mutating func finish() -> End {
        guard case .loading(let isAnswered) = phase else { return .ignored }
        let data = early.take()
        end()
        return isAnswered ? .finished : .unanswered(data)
    }

    /// Whether the load ends with this.
    mutating func fail() -> Bool {
        guard case .loading = phase else { return false }
        end()
        return true
    }

    enum Detour: Sendable {
        /// The load has ended before.
        case ignored
        /// The load ends here, and another one takes its place.
        case followed
        /// There was a response before, which can't be taken back.
        case tooLate
    }

    mutating func redirect() -> Detour {
        guard case .loading(let isAnswered) = phase else { return .ignored }
        end()
        return isAnswered ? .tooLate : .followed
    }

    /// Whether what is cached becomes the response, with which the load ends.
    mutating func useCachedResponse() -> Bool {
        guard case .loading(isAnswered: false) = phase else { return false }
        end()
        return true
    }

    /// Whether to ask for an answer to a challenge.
    mutating func challenge(_ challenge: ObjectIdentifier) -> Bool {
        guard case .loading = phase else { return false }
        return challenges.insert(challenge).inserted
    }

    /// Whether the protocol still waits for the answer to a challenge.
    func awaitsAnswer(to challenge: ObjectIdentifier) -> Bool {
        challenges.contains(challenge)
    }

    /// Whether the protocol still waits for the answer to a challenge; it doesn't after this.
    mutating func takeChallenge(_ challenge: ObjectIdentifier) -> Bool {
        challenges.remove(challenge) != nil
    }

    /// Whether the load ends with this. Whatever the protocol says later isn't heard.
    mutating func stop() -> Bool {
        defer { end() }
        return !isEnded
    }

    private mutating func end() {
        phase = .ended
        early = []
        challenges = []
    }
}

extension Array {
    /// What is there, which then is gone.
    fileprivate mutating func take() -> [Element] {
        defer { self = [] }
        return self
    }
}
