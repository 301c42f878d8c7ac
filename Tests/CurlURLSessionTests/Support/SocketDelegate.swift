internal import CurlURLSession
internal import Foundation
internal import TestSupport

/// Records the events of WebSocket and stream tasks in order.
final class SocketDelegate: NSObject, URLSessionWebSocketDelegate, URLSessionStreamDelegate {
    enum Event: Sendable, Equatable {
        /// The challenge's authentication method.
        case challenge(String)
        case open(String?)
        case close(Int, String?)
        case writeClosed
        case readClosed
        case captured
        case metrics(Int)
        case completed(Int?)
        case invalid
    }

    private let state = Watched<[Event]>([])
    private let streams = Watched<CapturedStreams?>(nil)
    private let answer: SessionDelegate.Challenged

    /// - Parameter answer: Answers challenges, on the delegate queue.
    init(answer: @escaping SessionDelegate.Challenged = { $1(.performDefaultHandling, nil) }) {
        self.answer = answer
    }

    /// A delegate that accepts servers' certificates until the gate opens.
    ///
    /// - Parameter decision: The answer to later questions about a certificate.
    static func trusting(
        until isStrict: Gate,
        then decision: URLSession.AuthChallengeDisposition
    ) -> SocketDelegate {
        SocketDelegate(answer: SessionDelegate.trusting(until: isStrict, then: decision))
    }

    var events: [Event] { state.read { $0 } }

    func event(_ event: Event) async throws {
        try await state.wait { $0.contains(event) ? () : nil }
    }

    /// Waits for the captured streams. The delegate no longer holds them afterwards.
    func capturedStreams() async throws -> CapturedStreams {
        let captured = try await streams.wait { $0 }
        streams.update { $0 = nil }
        return captured
    }

    /// Waits until `count` WebSockets have opened.
    func opened(_ count: Int = 1) async throws {
        try await state.wait { events in
            let opened = events.filter { if case .open = $0 { true } else { false } }
            return opened.count >= count ? () : nil
        }
    }

    /// Waits for the completion and returns the error's code; `nil` without an error.
    func completion() async throws -> Int? {
        try await state.wait { events in
            for case .completed(let code) in events { return .some(code) }
            return nil
        }
    }

    private func record(_ event: Event) { state.update { $0.append(event) } }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        record(.invalid)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        record(.challenge(challenge.protectionSpace.authenticationMethod))
        answer(challenge, completionHandler)
    }

    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol protocol: String?
    ) {
        record(.open(`protocol`))
    }

    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode,
        reason: Data?
    ) {
        record(.close(closeCode.rawValue, reason.map { String(decoding: $0, as: UTF8.self) }))
    }

    func urlSession(
        _ session: URLSession,
        writeClosedFor streamTask: URLSessionStreamTask
    ) {
        record(.writeClosed)
    }

    func urlSession(_ session: URLSession, readClosedFor streamTask: URLSessionStreamTask) {
        record(.readClosed)
    }

    func urlSession(
        _ session: URLSession,
        streamTask: URLSessionStreamTask,
        didBecome inputStream: InputStream,
        outputStream: OutputStream
    ) {
        streams.update { $0 = CapturedStreams(input: inputStream, output: outputStream) }
        record(.captured)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        record(.metrics(metrics.transactionMetrics.count))
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        record(.completed(error.map { ($0 as? URLError)?.code.rawValue ?? 0 }))
    }
}
