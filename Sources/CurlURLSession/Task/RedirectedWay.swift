/// What matters of where a redirect leads.
struct RedirectedWay: Sendable, Hashable {
    /// To another origin, which must not see credentials.
    let leavesOrigin: Bool
    /// The request's body is sent again.
    let keepsBody: Bool
}
