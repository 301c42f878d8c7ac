internal import FuzzWire

/// The result of one exchange.
struct Outcome: Sendable {
    /// The response, if one was delivered.
    var status: Int?
    var tag: String?
    var body: [UInt8] = []
    /// Whether the client stopped reading the body early on purpose.
    var isPartial = false
    /// The description of the error.
    var failure: String?
    /// The library reports an internal error.
    var isDefect = false
    /// The caller cancelled on purpose.
    var isCancelled = false
    var seconds = 0.0

    /// Returns what is wrong with the result; nil if it is as expected.
    func finding(_ exchange: Exchange, _ expected: Expectation, limit: Double) -> String? {
        if fuzz_is_verbose() {
            complain(
                "  exchange \(exchange.number) after \(seconds) s: status \(status ?? 0), \(body.count) bytes"
                    + "\(failure.map { ", \($0)" } ?? "") (\(expected.reason))"
            )
        }
        if seconds > limit {
            return "it took \(seconds) s, and its limit is \(limit) s (\(failure ?? "no failure"))"
        }
        if isDefect { return "a defect is reported: \(failure ?? "")" }
        if let text = foreign(exchange, expected) { return text }
        if isCancelled { return nil }
        if let failure {
            guard expected.verdict == FUZZ_MUST_SUCCEED else { return nil }
            return
                "a valid response (status \(expected.status), \(expected.body.count) bytes) fails: "
                + failure
        }
        switch expected.verdict {
        case FUZZ_ANYTHING:
            return nil
        case FUZZ_MUST_FAIL:
            guard !isPartial else { return nil }
            return
                "taken for a response (status \(status ?? 0), \(body.count) bytes): \(expected.reason)"
        default:
            return difference(expected)
        }
    }

    /// Returns a finding if the response belongs to another request, or to none.
    private func foreign(_ exchange: Exchange, _ expected: Expectation) -> String? {
        if body.starts(with: Array("STRAY".utf8)) { return "bytes behind a response are its body" }
        guard let tag, tag != exchange.tag, !expected.strays || tag == "stray" else { return nil }
        // Ignores a tag that was mutated or folded.
        guard tag.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }), !exchange.sends(tag.utf8) else {
            return nil
        }
        // A mutated Location may name another case, whose response is the right one then.
        let name = tag.prefix { $0 != "-" }
        guard exchange.tag.hasPrefix(name) || !exchange.sends(name.utf8) else { return nil }
        return "the response to another request: X-Tag is \(tag)"
    }

    private func difference(_ expected: Expectation) -> String? {
        guard status == nil || status == expected.status else {
            return "status \(status ?? 0) instead of \(expected.status) (\(expected.reason))"
        }
        if isPartial {
            guard !expected.body.starts(with: body) else { return nil }
        } else {
            guard body != expected.body else { return nil }
        }
        let common = zip(body, expected.body).prefix { $0 == $1 }.count
        return
            "a body of \(body.count) bytes instead of \(expected.body.count), different from byte "
            + "\(common) on (\(expected.reason))"
    }
}
