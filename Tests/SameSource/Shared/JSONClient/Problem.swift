/// How a service says what is wrong (RFC 9457).
struct Problem: Codable, Sendable {
    let title: String
    let detail: String?
}
