/// The decoded value of an empty body.
struct Nothing: Decodable, Sendable {}
