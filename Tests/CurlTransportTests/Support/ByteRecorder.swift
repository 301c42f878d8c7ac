internal import CurlTransport
internal import Synchronization
internal import TestSupport

/// A byte connection delegate that records its calls and gives configured answers.
final class ByteRecorder: ByteConnectionDelegate {
    enum Event: Sendable, Equatable {
        case trust
        case open
        case bytes
        case end
        case metrics
        case completed(TransportError.Code?)
    }

    /// The answers to the loop, called on the loop's thread.
    struct Answers: Sendable {
        var open: @Sendable (ByteConnection) -> Void = { _ in }
        var bytes: @Sendable (Int, ByteConnection) -> DeliveryDecision = { _, _ in .proceed }
        var end: @Sendable (ByteConnection) -> Void = { _ in }
        var trust: @Sendable (ServerTrust, ByteConnection) -> TrustDecision = { _, _ in
            .performDefaultHandling
        }
    }

    private struct State: Sendable {
        var events: [Event] = []
        var bytes: [UInt8] = []
        var count = 0
        var sent: Int64 = 0
        var turns = 0
        var logs: [String] = []
        var questions: [ServerTrust] = []
        var metrics: TransferMetrics?
        var error: TransportError?
        var isComplete = false
        var completed: ContinuousClock.Instant?
    }

    private let answers: Answers
    private let keepsBytes: Bool
    private let state = Watched(State())

    init(keepsBytes: Bool = true, _ configure: (inout Answers) -> Void = { _ in }) {
        var answers = Answers()
        configure(&answers)
        self.answers = answers
        self.keepsBytes = keepsBytes
    }

    // MARK: Recorded events

    /// All events; successive pieces count once.
    var events: [Event] { state.read { $0.events } }
    var bytes: [UInt8] { state.read { $0.bytes } }
    var text: String { String(decoding: bytes, as: UTF8.self) }
    var byteCount: Int { state.read { $0.count } }
    var sent: Int64 { state.read { $0.sent } }
    var logs: [String] { state.read { $0.logs } }
    var questions: [ServerTrust] { state.read { $0.questions } }
    var metrics: TransferMetrics? { state.read { $0.metrics } }
    var completed: ContinuousClock.Instant? { state.read { $0.completed } }

    /// Waits for the completion: nil for success.
    func completion() async throws -> TransportError? {
        try await state.wait { $0.isComplete ? .some($0.error) : nil }
    }

    func failure() async throws -> TransportError {
        guard let error = try await completion() else { throw UnexpectedSuccess() }
        return error
    }

    func event(_ event: Event) async throws {
        try await state.wait { $0.events.contains(event) ? () : nil }
    }

    func received(_ count: Int) async throws {
        try await state.wait { $0.count >= count ? () : nil }
    }

    func received(_ text: String) async throws {
        try await state.wait { String(decoding: $0.bytes, as: UTF8.self) == text ? () : nil }
    }

    func sent(_ count: Int64) async throws {
        try await state.wait { $0.sent >= count ? () : nil }
    }

    private func record(_ event: Event) {
        state.update { state in
            if event != .bytes || state.events.last != .bytes { state.events.append(event) }
        }
    }

    // MARK: ByteConnectionDelegate

    func connection(_ connection: ByteConnection, didReceive trust: ServerTrust) -> TrustDecision {
        state.update { $0.questions.append(trust) }
        record(.trust)
        return answers.trust(trust, connection)
    }

    func connectionDidOpen(_ connection: ByteConnection) {
        record(.open)
        answers.open(connection)
    }

    func connection(
        _ connection: ByteConnection,
        didReceive bytes: Span<UInt8>
    ) -> DeliveryDecision {
        var copy: [UInt8] = []
        if keepsBytes {
            for index in bytes.indices { copy.append(bytes[index]) }
        }
        let count = bytes.count
        record(.bytes)
        state.update { [copy] state in
            state.bytes += copy
            state.count += count
        }
        return answers.bytes(count, connection)
    }

    func connectionDidReceiveEnd(_ connection: ByteConnection) {
        record(.end)
        answers.end(connection)
    }

    func connection(_ connection: ByteConnection, didSend count: Int64) {
        state.update { $0.sent = count }
    }

    func connectionDidEndTurn(_ connection: ByteConnection) {
        state.update { $0.turns += 1 }
    }

    func connection(_ connection: ByteConnection, didLog line: TransferLogLine) {
        state.update { $0.logs.append(line.text) }
    }

    func connection(
        _ connection: ByteConnection,
        didFinishCollecting metrics: TransferMetrics
    ) {
        state.update { $0.metrics = metrics }
        record(.metrics)
    }

    func connection(_ connection: ByteConnection, didCompleteWith error: TransportError?) {
        record(.completed(error?.code))
        state.update { state in
            state.error = error
            state.completed = .now
            state.isComplete = true
        }
    }
}
