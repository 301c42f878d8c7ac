import CurlResilience
internal import FoundationEssentials

/// What a host's answers have changed, for the process that sends it requests next.
struct HostHandover: Sendable, Hashable, Codable {
    /// The adaptive limit; `nil` if it is the usual one.
    var rate: AdaptivePace.Rate?
    /// The failures and pauses since the last success; `nil` if there are none.
    var breaker: CircuitBreaker.Record?

    var isEmpty: Bool { rate == nil && breaker == nil }

    init(rate: AdaptivePace.Rate?, breaker: CircuitBreaker.Record?) {
        self.rate = rate
        self.breaker = breaker
    }

    /// Decodes ``text``; `nil` if it is damaged, or empty.
    init?(text: String) {
        guard let decoded = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else {
            return nil
        }
        self = decoded
    }

    /// The state as JSON.
    var text: String {
        // Only numbers that aren't finite can't be encoded.
        let data = try? JSONEncoder().encode(self)
        return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
