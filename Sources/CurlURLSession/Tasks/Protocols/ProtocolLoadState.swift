internal import Foundation

/// The state of a load by a user's protocol. Input: its calls; output: the events to deliver.
///
/// A protocol may call in the wrong order, too often or too late. In any case a load delivers at
/// most one response, data only after it, and one end.
struct ProtocolLoadState: Sendable {
    private enum Phase {
        case waiting
        /// `isAnswered` is true once the response has arrived.
        case loading(isAnswered: Bool)
        case ended
    }

    private var phase = Phase.waiting
    /// Data that arrived before the response.
    private var early: [Data] = []
    /// The unanswered challenges, by object identity.
    private var challenges: Set<ObjectIdentifier> = []

    var isEnded: Bool {
        if case .ended = phase { true } else { false }
    }

    /// Returns whether to start the protocol. False if the load was stopped before.
    mutating func start() -> Bool {
        guard case .waiting = phase else { return false }
        phase = .loading(isAnswered: false)
        return true
    }

    /// Takes the data that arrived before the response, for delivery after it.
    ///
    /// Returns `nil` if this isn't the first response, or the load has ended.
    mutating func respond() -> [Data]? {
        guard case .loading(isAnswered: false) = phase else { return nil }
        phase = .loading(isAnswered: true)
        return early.take()
    }

    /// Returns whether to deliver the data now. Data before the response is kept for later.
    mutating func load(_ data: Data) -> Bool {
        guard case .loading(let isAnswered) = phase, !data.isEmpty else { return false }
        if !isAnswered { early.append(data) }
        return isAnswered
    }

    enum End: Sendable, Equatable {
        /// The load had already ended.
        case ignored
        case finished
        /// There was no response. The data received so far is delivered with a substitute.
        case unanswered([Data])
    }

    mutating func finish() -> End {
        guard case .loading(let isAnswered) = phase else { return .ignored }
        let data = early.take()
        end()
        return isAnswered ? .finished : .unanswered(data)
    }

    /// Returns whether this call ends the load.
    mutating func fail() -> Bool {
        guard case .loading = phase else { return false }
        end()
        return true
    }

    enum Detour: Sendable {
        /// The load had already ended.
        case ignored
        /// The load ends, and another load replaces it.
        case followed
        /// The response has already been delivered, and can't be taken back.
        case tooLate
    }

    mutating func redirect() -> Detour {
        guard case .loading(let isAnswered) = phase else { return .ignored }
        end()
        return isAnswered ? .tooLate : .followed
    }

    /// Returns whether the cached response becomes the response. If so, the load ends.
    mutating func useCachedResponse() -> Bool {
        guard case .loading(isAnswered: false) = phase else { return false }
        end()
        return true
    }

    /// Returns whether to ask the client to answer a challenge.
    mutating func challenge(_ challenge: ObjectIdentifier) -> Bool {
        guard case .loading = phase else { return false }
        return challenges.insert(challenge).inserted
    }

    /// Whether the protocol still waits for the answer to a challenge.
    func awaitsAnswer(to challenge: ObjectIdentifier) -> Bool {
        challenges.contains(challenge)
    }

    /// Marks a challenge as answered. Returns whether the protocol still waited for the answer.
    mutating func takeChallenge(_ challenge: ObjectIdentifier) -> Bool {
        challenges.remove(challenge) != nil
    }

    /// Returns whether this call ends the load. Later calls of the protocol are ignored.
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
    /// Returns the elements and empties the array.
    fileprivate mutating func take() -> [Element] {
        defer { self = [] }
        return self
    }
}
