internal import CurlTransport
internal import HTTPTypes
internal import Synchronization
internal import TestSupport

/// A delegate that records its calls in order and gives configured answers.
final class RecordingDelegate: TransferDelegate {
    enum Event: Sendable, Equatable {
        case requestSent
        case sentBody(Int64, of: Int64?)
        case informational(Int)
        case redirect(Int, to: String)
        case trust
        case head(Int)
        case body(Int)
        case encodedBody(Int64)
        case trailers([String])
        case endTurn
        case log(String)
        case metrics
        case completed(TransportError.Code?)
    }

    /// The answers to the loop, called on the loop's thread.
    struct Answers: Sendable {
        /// Called for every event before it is recorded.
        var act: @Sendable (Event, TransferHandle) -> Void = { _, _ in }
        var head: @Sendable (ResponseHead, TransferHandle) -> DeliveryDecision = { _, _ in .proceed
        }
        var body: @Sendable (Int, TransferHandle) -> DeliveryDecision = { _, _ in .proceed }
        var redirect: @Sendable (Redirect, TransferHandle) -> RedirectDecision = { _, _ in .follow }
    }

    private struct State: Sendable {
        var events: [Event] = []
        var heads: [ResponseHead] = []
        var body: [UInt8] = []
        var bodyByteCount = 0
        var redirects: [Redirect] = []
        var metrics: TransferMetrics?
        var error: TransportError?
        var isComplete = false
        var completed: ContinuousClock.Instant?
    }

    private let answers: Answers
    private let keepsBody: Bool
    private let state = Watched(State())

    init(keepsBody: Bool = true, _ configure: (inout Answers) -> Void = { _ in }) {
        var answers = Answers()
        configure(&answers)
        self.answers = answers
        self.keepsBody = keepsBody
    }

    // MARK: Recorded events

    var events: [Event] { state.read { $0.events } }
    /// All events except turn ends and upload progress, whose number varies.
    var milestones: [Event] {
        events.filter { event in
            switch event {
            case .endTurn, .sentBody, .body, .encodedBody, .log: false
            default: true
            }
        }
    }
    var heads: [ResponseHead] { state.read { $0.heads } }
    var redirects: [Redirect] { state.read { $0.redirects } }
    var body: [UInt8] { state.read { $0.body } }
    var bodyText: String { String(decoding: body, as: UTF8.self) }
    /// The reported byte counts of the encoded body.
    var encodedBytes: [Int64] {
        events.compactMap { if case .encodedBody(let count) = $0 { count } else { nil } }
    }
    var bodyByteCount: Int { state.read { $0.bodyByteCount } }
    var metrics: TransferMetrics? { state.read { $0.metrics } }
    var error: TransportError? { state.read { $0.error } }
    var isComplete: Bool { state.read { $0.isComplete } }
    /// When the loop delivered the completion, not when a test reads it.
    var completed: ContinuousClock.Instant? { state.read { $0.completed } }

    /// Waits for the completion: nil for success.
    func completion() async throws -> TransportError? {
        try await state.wait { $0.isComplete ? .some($0.error) : nil }
    }

    /// Waits for the completion, which must be a failure.
    func failure() async throws -> TransportError {
        guard let error = try await completion() else { throw UnexpectedSuccess() }
        return error
    }

    func event(_ event: Event) async throws {
        try await self.event { $0 == event }
    }

    @discardableResult
    func event(where fits: @escaping @Sendable (Event) -> Bool) async throws -> Event {
        try await state.wait { $0.events.first(where: fits) }
    }

    /// Waits for the end of the turn that delivered a head or redirect.
    ///
    /// Earlier turns, in which the request was sent, end too.
    func turnOfHead() async throws {
        _ = try await event(where: { event in
            switch event {
            case .head, .redirect, .informational: true
            default: false
            }
        })
        try await lastEvent(.endTurn)
    }

    /// Waits until the last event is this one.
    func lastEvent(_ event: Event) async throws {
        try await state.wait { $0.events.last == event ? () : nil }
    }

    /// Waits until at least `count` bytes of the body have arrived.
    func bodyBytes(_ count: Int) async throws {
        try await state.wait { $0.bodyByteCount >= count ? () : nil }
    }

    private func record(_ event: Event, _ transfer: TransferHandle) {
        answers.act(event, transfer)
        state.update { $0.events.append(event) }
    }

    // MARK: TransferDelegate

    func transferDidSendRequest(_ transfer: TransferHandle) {
        record(.requestSent, transfer)
    }

    func transfer(_ transfer: TransferHandle, didSendBodyBytes sent: Int64, of expected: Int64?) {
        record(.sentBody(sent, of: expected), transfer)
    }

    func transfer(_ transfer: TransferHandle, didReceiveInformational head: ResponseHead) {
        state.update { $0.heads.append(head) }
        record(.informational(head.statusCode), transfer)
    }

    func transfer(
        _ transfer: TransferHandle,
        willFollow redirect: Redirect
    ) -> RedirectDecision {
        state.update { $0.redirects.append(redirect) }
        record(.redirect(redirect.statusCode, to: redirect.location), transfer)
        return answers.redirect(redirect, transfer)
    }

    func transfer(_ transfer: TransferHandle, didReceive trust: ServerTrust) -> TrustDecision {
        record(.trust, transfer)
        return .performDefaultHandling
    }

    func transfer(_ transfer: TransferHandle, didReceive head: ResponseHead) -> DeliveryDecision {
        state.update { $0.heads.append(head) }
        record(.head(head.statusCode), transfer)
        return answers.head(head, transfer)
    }

    func transfer(
        _ transfer: TransferHandle,
        didReceiveBody bytes: Span<UInt8>
    ) -> DeliveryDecision {
        var copy: [UInt8] = []
        if keepsBody {
            for index in bytes.indices { copy.append(bytes[index]) }
        }
        let count = bytes.count
        state.update { [copy] state in
            state.bodyByteCount += count
            state.body += copy
        }
        record(.body(count), transfer)
        return answers.body(count, transfer)
    }

    func transfer(_ transfer: TransferHandle, didReceiveEncodedBodyBytes received: Int64) {
        record(.encodedBody(received), transfer)
    }

    func transfer(_ transfer: TransferHandle, didReceiveTrailers fields: HTTPFields) {
        record(.trailers(fields.map { "\($0.name.rawName): \($0.value)" }), transfer)
    }

    func transferDidEndTurn(_ transfer: TransferHandle) {
        record(.endTurn, transfer)
    }

    func transfer(_ transfer: TransferHandle, didLog line: TransferLogLine) {
        record(.log(line.text), transfer)
    }

    func transfer(_ transfer: TransferHandle, didFinishCollecting metrics: TransferMetrics) {
        state.update { $0.metrics = metrics }
        record(.metrics, transfer)
    }

    func transfer(_ transfer: TransferHandle, didCompleteWith error: TransportError?) {
        record(.completed(error?.code), transfer)
        state.update { state in
            state.error = error
            state.completed = .now
            state.isComplete = true
        }
    }
}

/// The error for a transfer that should have failed.
struct UnexpectedSuccess: Error {}
