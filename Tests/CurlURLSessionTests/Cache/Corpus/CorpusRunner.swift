import Foundation
internal import HTTPSemantics
import Testing

@testable import CurlURLSession

/// Runs a case with a cache, a simulated origin and a manual clock.
struct CorpusRunner {
    let cache: URLCache
    let clock: ManualClock

    /// The requests that reached the origin, and the fields of its last response.
    private struct Origin {
        var requests: [URLRequest] = []
        var last: CorpusCase.Fields = []
    }

    /// The differences from what the case expects; empty if there are none.
    func run(_ test: CorpusCase) throws -> [String] {
        let judge = CorpusJudge(test, origin: "http://origin.test", clock: clock)
        var faults: [String] = []
        var origin = Origin()
        for (index, exchange) in test.exchanges.enumerated() {
            let seen = origin.requests.count
            let request = try judge.request(exchange)
            let outcome = try perform(request, exchange, judge, &origin)
            let sent = origin.requests.dropFirst(seen).last
            let found = judge.faults(of: outcome, exchange) { name in
                sent?.value(forHTTPHeaderField: name)
            }
            faults += found.map { "\(index + 1): \($0)" }
            if exchange.pauses { clock.advance(by: 3) }
        }
        return faults
    }

    /// Performs a request through the cache.
    private func perform(
        _ request: URLRequest,
        _ exchange: CorpusCase.Exchange,
        _ judge: CorpusJudge,
        policy: NSURLRequest.CachePolicy? = nil,
        _ origin: inout Origin
    ) throws -> CorpusJudge.Outcome {
        var transaction = CacheTransaction(
            request,
            policy: policy ?? exchange.policy,
            servesWhileRevalidating: true,
            largestBody: cache.largestBody
        )
        let found = transaction.looksUp ? cache.cachedResponse(for: request) : nil
        switch transaction.found(found, at: clock.now) {
        case .unavailable:
            return CorpusJudge.Outcome()
        case .answer(let answer):
            if answer.isToBeRenewed {
                let policy = NSURLRequest.CachePolicy.reloadRevalidatingCacheData
                _ = try perform(request, exchange, judge, policy: policy, &origin)
            }
            return outcome(answer)
        case .load(let fields):
            return try load(request, fields, exchange, judge, &transaction, &origin)
        }
    }

    private func outcome(_ answer: CacheAnswer) -> CorpusJudge.Outcome {
        CorpusJudge.Outcome(
            response: answer.cached.response as? HTTPURLResponse,
            body: answer.cached.data,
            isFromCache: true
        )
    }

    /// Loads from the simulated origin.
    private func load(
        _ request: URLRequest,
        _ fields: [HeaderLine],
        _ exchange: CorpusCase.Exchange,
        _ judge: CorpusJudge,
        _ transaction: inout CacheTransaction,
        _ origin: inout Origin
    ) throws -> CorpusJudge.Outcome {
        var sent = request
        for line in fields { sent.setValue(line.value, forHTTPHeaderField: line.name) }
        origin.requests.append(sent)
        guard let response = try respond(to: sent, exchange, judge, &origin) else {
            guard case .answer(let answer) = transaction.failed(at: clock.now) else {
                return CorpusJudge.Outcome()
            }
            return outcome(answer)
        }
        let hasBody = exchange.method != "HEAD" && response.statusCode != 304
        let body = hasBody ? judge.body(exchange) : Data()
        let action = transaction.received(
            response,
            requestTime: clock.now,
            responseTime: clock.now
        )
        switch action {
        case .deliver(let effect):
            cache.apply(effect, for: request)
            if let kept = transaction.finished(body: body) { cache.keep(kept, for: request) }
            return CorpusJudge.Outcome(response: response, body: body)
        case .answer(let answer, let effect):
            cache.apply(effect, for: request)
            return outcome(answer)
        case .reload:
            return try load(request, [], exchange, judge, &transaction, &origin)
        }
    }

    /// The origin's response; `nil` if the origin disconnects.
    private func respond(
        to request: URLRequest,
        _ exchange: CorpusCase.Exchange,
        _ judge: CorpusJudge,
        _ origin: inout Origin
    ) throws -> HTTPURLResponse? {
        guard !exchange.disconnects else { return nil }
        let status = judge.status(exchange, last: origin.last) {
            request.value(forHTTPHeaderField: $0)
        }
        origin.last = judge.fields(exchange)
        return try CacheSamples.response(
            origin.last,
            status: status,
            url: judge.url + exchange.path
        )
    }
}
