import Foundation
import TestSupport
import Testing

@testable import CurlURLSession

/// Runs cases one after the other with a session and a server.
struct CorpusSession {
    private struct Origin: Sendable {
        var answer: @Sendable (RecordedRequest) -> Reply = { _ in .status(500) }
        /// The fields of the origin's last response.
        var last: CorpusCase.Fields = []
    }

    private let clock = ManualClock()
    private let origin: Watched<Origin>
    private let server: LoopbackServer
    private let session: URLSession

    init() throws {
        let origin = Watched(Origin())
        self.origin = origin
        server = try LoopbackServer { request in
            let answer = origin.read { $0.answer }
            return answer(request)
        }
        let cache = clock.drive(URLCache(memoryCapacity: 16 << 20, diskCapacity: 0))
        session = .test { configuration in
            configuration.urlCache = cache
            configuration.httpCookieStorage = nil
        }
    }

    /// The differences from what the case expects; empty if there are none.
    func run(_ test: CorpusCase) async throws -> [String] {
        let judge = CorpusJudge(test, origin: server.url, clock: clock)
        var faults: [String] = []
        for (index, exchange) in test.exchanges.enumerated() {
            let origin = origin
            origin.update { now in
                now.answer = { Self.reply(to: $0, exchange, judge, origin) }
            }
            let seen = server.requestCount
            let outcome = try await perform(try judge.request(exchange))
            let sent = server.requests.dropFirst(seen).last
            let found = judge.faults(of: outcome, exchange) { sent?.header($0) }
            faults += found.map { "\(index + 1): \($0)" }
            if exchange.pauses { clock.advance(by: 3) }
        }
        // The `answer` closure captures the origin: break the reference cycle.
        origin.update { $0 = Origin() }
        return faults
    }

    private func perform(_ request: URLRequest) async throws -> CorpusJudge.Outcome {
        let delegate = SessionDelegate { $0.redirect = { $2(nil) } }
        let loaded = try? await session.data(for: request, delegate: delegate)
        guard let (data, response) = loaded else { return CorpusJudge.Outcome() }
        let transactions = delegate.metrics.flatMap(\.transactionMetrics)
        return CorpusJudge.Outcome(
            response: response as? HTTPURLResponse,
            body: data,
            isFromCache: transactions.contains { $0.resourceFetchType == .localCache }
        )
    }

    private static func reply(
        to request: RecordedRequest,
        _ exchange: CorpusCase.Exchange,
        _ judge: CorpusJudge,
        _ origin: Watched<Origin>
    ) -> Reply {
        guard !exchange.disconnects else { return .steps([]) }
        let last = origin.read { $0.last }
        let status = judge.status(exchange, last: last) { request.header($0) }
        let fields = judge.fields(exchange)
        origin.update { $0.last = fields }
        return Reply(status, headers: fields, body: .bytes(Array(judge.body(exchange))))
    }
}
