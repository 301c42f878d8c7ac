internal import Foundation

/// What is asked about the certificates that a server presents.
struct PathQuestion {
    /// DER-encoded, the server's own first; the others may lead from it to an anchor.
    var presented: [Data]
    /// The certificates that a path may end with, DER-encoded. They needn't be authorities' own.
    var anchors: Set<Data>
    /// The host that the server's certificate must name, as an alternative name (RFC 9525, 6.3), or as
    /// an address without brackets; `nil` for any.
    var host: String?
    /// Whether certificates must be good for servers.
    var isForServers = true
    /// When they must be valid; `nil` for now.
    var date: Date?
    /// Whether that is asked at all.
    var checksTime = true
}
