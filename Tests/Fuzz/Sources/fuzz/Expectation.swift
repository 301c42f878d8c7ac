internal import FuzzWire

/// The expected result of one exchange.
struct Expectation: Sendable {
    private(set) var verdict: fuzz_verdict
    let status: Int
    let body: [UInt8]
    let settles: Bool
    let stalls: Bool
    let strays: Bool
    let isFatal: Bool
    let reason: String

    /// Computes it as the server does.
    init(_ exchange: Exchange, decodes: Bool, follows: Bool, redirectLimit: UInt32 = 20) {
        var client = fuzz_client(decodes: decodes, follows: follows, redirect_limit: redirectLimit)
        var found = fuzz_expectation()
        exchange.withRequest { fuzz_expect($0, &client, &found) }
        verdict = found.verdict
        status = Int(found.status)
        body = Array(UnsafeBufferPointer(start: found.body.data, count: found.body.count))
        settles = found.settles
        stalls = found.stalls
        strays = found.strays
        isFatal = found.is_fatal
        reason = String(cString: found.reason)
        fuzz_expectation_free(&found)
    }

    /// The same expectation with any result allowed.
    var allowingAnything: Expectation {
        var expectation = self
        expectation.verdict = FUZZ_ANYTHING
        return expectation
    }

    /// The same expectation, but a failure isn't a finding.
    var allowingFailure: Expectation {
        var expectation = self
        if verdict == FUZZ_MUST_SUCCEED { expectation.verdict = FUZZ_MAY_FAIL }
        return expectation
    }
}

/// One request of a case.
struct Exchange: Sendable {
    let seed: UInt64
    let number: UInt32
    let method: fuzz_method
    let authority: String
    var kind = FUZZ_MUTATED

    var path: String { text(fuzz_path) }
    var settlePath: String { text(fuzz_settle_path) }
    var url: String { "http://\(authority)\(path)" }
    var settleURL: String { "http://\(authority)\(settlePath)" }
    /// The value of the field `X-Tag` in its responses.
    var tag: String {
        let digits = String(seed, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits + "-\(number)"
    }

    func withRequest<Value>(_ use: (UnsafePointer<fuzz_request>) -> Value) -> Value {
        authority.withCString { authority in
            var request = fuzz_request(
                kind: kind,
                seed: seed,
                exchange: number,
                hop: 0,
                method: method,
                authority: authority,
                range_start: -1
            )
            return use(&request)
        }
    }

    /// Whether the server sends the bytes as part of its responses to this request.
    func sends(_ bytes: some Collection<UInt8>) -> Bool {
        let bytes = Array(bytes)
        return withRequest { fuzz_sends($0, bytes, bytes.count) }
    }

    /// Both versions of the entity for resumed downloads.
    var entities: [[UInt8]] {
        [1, 2].map { (version: UInt32) in
            var entity = fuzz_bytes()
            withRequest { fuzz_entity($0, version, &entity) }
            defer { fuzz_bytes_free(&entity) }
            return Array(UnsafeBufferPointer(start: entity.data, count: entity.count))
        }
    }

    private func text(
        _ write: (UnsafePointer<fuzz_request>, UnsafeMutablePointer<CChar>, Int) -> Void
    ) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            withRequest { write($0, start, buffer.count) }
            return String(cString: start)
        }
    }
}

/// Random numbers determined by a seed.
struct CaseRandom {
    private var random: fuzz_random

    init(_ seed: UInt64, salt: UInt64) {
        random = fuzz_random(state: fuzz_mix(seed, salt))
    }

    mutating func below(_ count: UInt32) -> UInt32 { fuzz_below(&random, count) }
    mutating func percent(_ share: UInt32) -> Bool { fuzz_percent(&random, share) }
}
