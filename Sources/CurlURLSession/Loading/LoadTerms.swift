/// What the task that a load belongs to says about it.
struct LoadTerms: Sendable {
    let session: URLSession
    /// What becomes of the content, which says whether it is worth storing.
    let kind: TaskKind
    let extra: TaskExtra?
    /// How long it may take; `nil` for as long as it likes.
    let timeLimit: Duration?
    /// Whether somebody is there to be asked about the server's certificates.
    let asksForTrust: Bool
    /// Whether the content is kept in memory.
    let collectsContent: Bool
}
