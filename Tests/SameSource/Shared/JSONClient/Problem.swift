/// A service's description of an error (RFC 9457).
struct Problem: Codable, Sendable {
    let title: String
    let detail: String?
}
