import Foundation
internal import HTTPSemantics
import Testing

@testable import CurlURLSession

/// Makes a case's requests and responses, and checks the outcomes.
struct CorpusJudge: Sendable {
    let test: CorpusCase
    /// The base URL of all requests of the case.
    let url: String
    let clock: ManualClock

    /// What the client receives.
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

    /// The status of the origin's response.
    ///
    /// If the case expects validation, it is 304 if the request has the expected condition,
    /// otherwise 999.
    ///
    /// - Parameters:
    ///   - last: The fields of the origin's last response.
    ///   - value: Returns the value of a request field.
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

    /// Replaces a text such as `@-5` by the HTTP date at that offset in seconds.
    private func text(_ value: String) -> String {
        guard value.hasPrefix("@"), let offset = TimeInterval(value.dropFirst()) else {
            return value
        }
        return HTTPDate.text(from: clock.now.addingTimeInterval(offset))
    }

    // MARK: - Checks

    /// The differences from what the case expects; empty if there are none.
    ///
    /// - Parameter sent: Returns the value of a field of the request that reached the origin, if
    ///   one did.
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
