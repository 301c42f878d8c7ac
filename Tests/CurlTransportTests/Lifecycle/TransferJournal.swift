internal import CurlTransport
internal import HTTPTypes
internal import TestSupport

/// A delegate that records a transfer's milestones and gives configured answers.
final class TransferJournal: TransferDelegate {
    enum Event: Sendable, Equatable {
        case sent
        case informational
        case redirect
        case trust
        case head(Int)
        case body
        case trailers
        case metrics
        case completed(TransportError.Code?)
    }

    /// The answers to a head, body bytes, a redirect and server trust.
    struct Answers: Sendable {
        var head = DeliveryDecision.proceed
        var body = DeliveryDecision.proceed
        var redirect = RedirectDecision.follow
        var trust = TrustDecision.performDefaultHandling
        /// Called on the loop's thread for each event.
        var act: @Sendable (Event) -> Void = { _ in }
    }

    private let answers: Answers
    private let events = Watched<[Event]>([])

    init(_ answers: Answers = Answers()) {
        self.answers = answers
    }

    /// All events; successive body events count once.
    var milestones: [Event] { events.read { $0 } }

    var completions: Int {
        milestones.count { if case .completed = $0 { true } else { false } }
    }

    func wait(for event: Event) async throws {
        try await events.wait { $0.contains(event) ? () : nil }
    }

    /// Waits for the completion and returns its error code; nil for success.
    func completion() async throws -> TransportError.Code? {
        try await events.wait { events in
            if case .completed(let code) = events.last { .some(code) } else { nil }
        }
    }

    private func add(_ event: Event) {
        answers.act(event)
        events.update { events in
            if event != .body || events.last != .body { events.append(event) }
        }
    }

    func transferDidSendRequest(_ transfer: TransferHandle) { add(.sent) }

    func transfer(_ transfer: TransferHandle, didReceiveInformational head: ResponseHead) {
        add(.informational)
    }

    func transfer(
        _ transfer: TransferHandle,
        willFollow redirect: Redirect
    ) -> RedirectDecision {
        add(.redirect)
        return answers.redirect
    }

    func transfer(_ transfer: TransferHandle, didReceive trust: ServerTrust) -> TrustDecision {
        add(.trust)
        return answers.trust
    }

    func transfer(_ transfer: TransferHandle, didReceive head: ResponseHead) -> DeliveryDecision {
        add(.head(head.statusCode))
        return answers.head
    }

    func transfer(
        _ transfer: TransferHandle,
        didReceiveBody bytes: Span<UInt8>
    ) -> DeliveryDecision {
        add(.body)
        return answers.body
    }

    func transfer(_ transfer: TransferHandle, didReceiveTrailers fields: HTTPFields) {
        add(.trailers)
    }

    func transfer(_ transfer: TransferHandle, didFinishCollecting metrics: TransferMetrics) {
        add(.metrics)
    }

    func transfer(_ transfer: TransferHandle, didCompleteWith error: TransportError?) {
        add(.completed(error?.code))
    }
}
