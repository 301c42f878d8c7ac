import Foundation
import Testing

@testable import CurlURLSession

/// What a case means at a moment: what is asked for, what the origin answers, and whether what comes of
/// it is what the case expects.
struct CorpusJudge: Sendable {
    let test: CorpusCase
    /// Of all that the case asks for.
    let url: String
    let clock: ManualClock

    /// What the program gets.
    struct Outcome: Sendable {
        var response: HTTPURLResponse?
        var body = Data()
        var isFromCache = false
    }

    /// - Parameter origin: Scheme, host and port.
    init(_ test: CorpusCase, origin: String, clock: ManualClock) {
        self.test = test
        self.clock = clock
        url = "\(origin)/\(test.id.replacingOccurrences(of: " ", with: "-"))"
    }

    func request(_ exchange: CorpusCase.Exchange) throws -> URLRequest {
        var request = try CacheSamples.request(
            url + exchange.path,
            exchange.sends,
            method: exchange.method
        )
        request.cachePolicy = exchange.policy
        return request
    }

    // MARK: - The origin

    func body(_ exchange: CorpusCase.Exchange) -> Data {
        Data((exchange.body ?? test.id).utf8)
    }

    func fields(_ exchange: CorpusCase.Exchange) -> CorpusCase.Fields {
        exchange.fields.map { name, value in
            let isURL = ["Location", "Content-Location"].contains(name) && value.hasPrefix("^")
            return (name, isURL ? url + value.dropFirst() : text(value))
        }
    }

    /// The origin confirms what it is asked about where the case says so, and has the status 999 where
    /// it isn't asked.
    ///
    /// - Parameters:
    ///   - last: The fields of its last answer.
    ///   - value: The values of the request's fields.
    func status(
        _ exchange: CorpusCase.Exchange,
        last: CorpusCase.Fields,
        _ value: (String) -> String?
    ) -> Int {
        let validators: [(CorpusCase.Expectation, String, String)] = [
            (.etagValidated, "If-None-Match", "ETag"),
            (.lmValidated, "If-Modified-Since", "Last-Modified"),
        ]
        for (expected, condition, name) in validators where exchange.expects == expected {
            let own = last.first { $0.0 == name }?.1
            return own != nil && value(condition) == own ? 304 : 999
        }
        return exchange.status
    }

    /// A date, where one is meant.
    private func text(_ value: String) -> String {
        guard value.hasPrefix("@"), let offset = TimeInterval(value.dropFirst()) else {
            return value
        }
        return HTTPDate.text(from: clock.now.addingTimeInterval(offset))
    }

    // MARK: - Checks

    /// What isn't as the case expects; nothing if all is.
    ///
    /// - Parameter sent: The values of the fields of what came to the origin, if something did.
    func faults(
        of outcome: Outcome,
        _ exchange: CorpusCase.Exchange,
        sent: (String) -> String?
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
        if !isHead, exchange.expectedStatus == nil, outcome.body != body(exchange) {
            faults.append("it has another body")
        }
        for (name, value) in exchange.expectedFields {
            let found = response.value(forHTTPHeaderField: name)
            if !isExpected(found, value) { faults.append("\(name) is \(found ?? "missing")") }
        }
        for (name, value) in exchange.expectedInRequest {
            let found = sent(name)
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
