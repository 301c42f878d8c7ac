import Foundation
import Testing

@testable import CurlURLSession

/// Does what a case says, with a cache, an origin that is made up, and a clock that is set by hand.
struct CorpusRunner {
    let cache: URLCache
    let clock: ManualClock

    /// What the program gets.
    private struct Outcome {
        var response: HTTPURLResponse?
        var body = Data()
        var isFromCache = false
    }

    /// What came to the origin, and what it said last.
    private struct Origin {
        var requests: [URLRequest] = []
        var last: CorpusCase.Fields = []
    }

    /// What wasn't as the case expects; nothing if all was.
    func run(_ test: CorpusCase) throws -> [String] {
        var faults: [String] = []
        var origin = Origin()
        for (index, exchange) in test.exchanges.enumerated() {
            let seen = origin.requests.count
            let request = try request(exchange, of: test)
            let outcome = try perform(request, exchange, of: test, &origin)
            let new = Array(origin.requests[seen...])
            faults += self.faults(of: outcome, new, exchange, test).map { "\(index + 1): \($0)" }
            if exchange.pauses { clock.advance(by: 3) }
        }
        return faults
    }

    private func base(_ test: CorpusCase) -> String {
        "http://origin.test/\(test.id.replacingOccurrences(of: " ", with: "-"))"
    }

    private func request(
        _ exchange: CorpusCase.Exchange,
        of test: CorpusCase
    ) throws -> URLRequest {
        try CacheSamples.request(
            base(test) + exchange.path,
            exchange.sends,
            method: exchange.method
        )
    }

    /// Through the cache.
    private func perform(
        _ request: URLRequest,
        _ exchange: CorpusCase.Exchange,
        of test: CorpusCase,
        policy: NSURLRequest.CachePolicy? = nil,
        _ origin: inout Origin
    ) throws -> Outcome {
        var transaction = CacheTransaction(
            request,
            policy: policy ?? exchange.policy,
            servesWhileRevalidating: true,
            largestBody: cache.largestBody
        )
        let found = transaction.looksUp ? cache.cachedResponse(for: request) : nil
        switch transaction.found(found, at: clock.now) {
        case .unavailable:
            return Outcome()
        case .answer(let answer):
            if answer.isToBeRenewed {
                let policy = NSURLRequest.CachePolicy.reloadRevalidatingCacheData
                _ = try perform(request, exchange, of: test, policy: policy, &origin)
            }
            return outcome(answer)
        case .load(let fields):
            return try load(request, fields, exchange, of: test, &transaction, &origin)
        }
    }

    private func outcome(_ answer: CacheAnswer) -> Outcome {
        Outcome(
            response: answer.cached.response as? HTTPURLResponse,
            body: answer.cached.data,
            isFromCache: true
        )
    }

    /// Over the network.
    private func load(
        _ request: URLRequest,
        _ fields: [HeaderLine],
        _ exchange: CorpusCase.Exchange,
        of test: CorpusCase,
        _ transaction: inout CacheTransaction,
        _ origin: inout Origin
    ) throws -> Outcome {
        var sent = request
        for line in fields { sent.setValue(line.value, forHTTPHeaderField: line.name) }
        origin.requests.append(sent)
        guard let response = try respond(to: sent, exchange, of: test, &origin) else {
            guard case .answer(let answer) = transaction.failed(at: clock.now) else {
                return Outcome()
            }
            return outcome(answer)
        }
        let hasBody = exchange.method != "HEAD" && response.statusCode != 304
        let body = hasBody ? self.body(exchange, test) : Data()
        let action = transaction.received(
            response,
            requestTime: clock.now,
            responseTime: clock.now
        )
        switch action {
        case .deliver(let effect):
            cache.apply(effect, for: request)
            if let kept = transaction.finished(body: body) { cache.keep(kept, for: request) }
            return Outcome(response: response, body: body)
        case .answer(let answer, let effect):
            cache.apply(effect, for: request)
            return outcome(answer)
        case .reload:
            return try load(request, [], exchange, of: test, &transaction, &origin)
        }
    }

    private func body(_ exchange: CorpusCase.Exchange, _ test: CorpusCase) -> Data {
        Data((exchange.body ?? test.id).utf8)
    }

    /// The origin: it confirms what it is asked about where the case says so, and has the status 999
    /// where it isn't asked.
    private func respond(
        to request: URLRequest,
        _ exchange: CorpusCase.Exchange,
        of test: CorpusCase,
        _ origin: inout Origin
    ) throws -> HTTPURLResponse? {
        guard !exchange.disconnects else { return nil }
        var status = exchange.status
        let validators: [(CorpusCase.Expectation, String, String)] = [
            (.etagValidated, "If-None-Match", "ETag"),
            (.lmValidated, "If-Modified-Since", "Last-Modified"),
        ]
        for (expected, condition, name) in validators where exchange.expects == expected {
            let own = origin.last.first { $0.0 == name }?.1
            let isAsked = own != nil && request.value(forHTTPHeaderField: condition) == own
            status = isAsked ? 304 : 999
        }
        origin.last = exchange.fields.map { name, value in
            let isURL = ["Location", "Content-Location"].contains(name) && value.hasPrefix("^")
            return (name, isURL ? base(test) + value.dropFirst() : text(value))
        }
        return try CacheSamples.response(
            origin.last,
            status: status,
            url: base(test) + exchange.path
        )
    }

    /// A date, where one is meant.
    private func text(_ value: String) -> String {
        guard value.hasPrefix("@"), let offset = TimeInterval(value.dropFirst()) else {
            return value
        }
        return HTTPDate.text(from: clock.now.addingTimeInterval(offset))
    }

    // MARK: - Checks

    private func faults(
        of outcome: Outcome,
        _ requests: [URLRequest],
        _ exchange: CorpusCase.Exchange,
        _ test: CorpusCase
    ) -> [String] {
        guard let response = outcome.response else {
            return exchange.expects == .failed ? [] : ["nothing came"]
        }
        var faults: [String] = []
        switch exchange.expects {
        case .cached where !outcome.isFromCache: faults.append("it came from the origin")
        case .notCached where outcome.isFromCache: faults.append("it came from the cache")
        case .failed: faults.append("something came")
        default: break
        }
        let isHead = exchange.method == "HEAD"
        let expectedStatus = exchange.expectedStatus ?? exchange.status
        if response.statusCode != expectedStatus { faults.append("\(response.statusCode)") }
        if !isHead, exchange.expectedStatus == nil, outcome.body != body(exchange, test) {
            faults.append("it has another body")
        }
        for (name, value) in exchange.expectedFields {
            let found = response.value(forHTTPHeaderField: name)
            if !isExpected(found, value) { faults.append("\(name) is \(found ?? "missing")") }
        }
        for (name, value) in exchange.expectedInRequest {
            let found = requests.last?.value(forHTTPHeaderField: name)
            if !isExpected(found, value) { faults.append("\(name) was \(found ?? "missing")") }
        }
        return faults
    }

    private func isExpected(_ found: String?, _ value: String) -> Bool {
        if value == "!" { return found == nil }
        if value.hasPrefix(">") {
            return (found.flatMap { Int($0) } ?? 0) > (Int(value.dropFirst()) ?? .max)
        }
        return found == text(value)
    }
}
