/// A header field's name, as it is spelled, and its value.
struct HeaderLine: Sendable, Hashable {
    var name: String
    var value: String
}
