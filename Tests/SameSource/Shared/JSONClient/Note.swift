/// A note that the service stores.
struct Note: Codable, Equatable, Sendable {
    var id: Int?
    var title: String
    var isDone = false
}

/// Some notes, and the query that found them.
struct NoteList: Codable, Sendable {
    let query: String
    let notes: [Note]
}
