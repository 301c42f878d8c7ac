/// How truth values are written in a query.
public enum BoolEncoding: String, Sendable, Codable {
    /// `1` and `0`. The default.
    case numeric
    /// `true` and `false`.
    case literal

    func text(_ value: Bool) -> String {
        switch self {
        case .numeric: value ? "1" : "0"
        case .literal: value ? "true" : "false"
        }
    }
}
