/// What is decoded where there is nothing to decode.
struct Nothing: Decodable, Sendable {}
