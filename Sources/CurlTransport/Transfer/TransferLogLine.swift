/// One line of what libcurl says about its work on a transfer.
public struct TransferLogLine: Sendable, Hashable {
    /// Whose words they are.
    public enum Kind: Sendable, Hashable {
        /// libcurl's remark.
        case remark
        /// A line of the request's head.
        case sent
        /// A line of a response's head.
        case received
        /// The client's own remark that lines are missing here, because ``ClientHooks/log`` was too
        /// slow for them.
        case dropped
    }

    /// Whose words they are.
    public let kind: Kind

    /// The line, without its line end. Values that are secrets read `<redacted>`.
    public let text: String
}
