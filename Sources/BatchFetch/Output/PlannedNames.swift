import Synchronization

/// The planned names of a list's bodies, and their collisions.
///
/// Contains the names that are known before the responses.
final class PlannedNames: Sendable {
    private struct State: Sendable {
        var folded = SeenSet()
        /// Hashes of files. `folders` has those of the folders above them.
        var files = SeenSet()
        var folders = SeenSet()
        var caseCollisions = 0
    }

    private let state = Mutex(State())
    private let keyed = KeyedHash()
    private let taken: NameRegistry

    init(_ taken: NameRegistry) {
        self.taken = taken
    }

    /// The number of names that differ from another name only in case.
    var caseCollisions: Int { state.withLock { $0.caseCollisions } }

    /// Returns the planned result, with the path or the name collision.
    func result(for job: some NamedURL, _ output: BatchOutput) -> BatchResult {
        var result = BatchResult(url: job.target.url, line: job.line, ordinal: job.ordinal)
        result.tag = job.target.details?.request.tag
        guard let naming = output.naming, naming.isKnownEarly(for: job) else {
            return result
        }
        let names = naming.name(for: job, contentType: nil)
        let (name, isNew) = place(names)
        result.path = name
        guard naming.existing != .number else { return result }
        // A repeated URL has the same body, and keeps its own name.
        guard taken.take(name, for: job.target.url) else {
            result.failure = .nameCollision(name)
            return result
        }
        if naming.existing == .error, !isNew { result.failure = .existingFile(name) }
        return result
    }

    /// Returns the name of a body, and whether it is new.
    ///
    /// If a file is where a folder is needed, or the reverse, this is the fallback name.
    private func place(_ names: FileName) -> (name: String, isNew: Bool) {
        state.withLock { state in
            let isBlocked =
                state.folders.contains(hash(names.path))
                || Self.folders(of: names.path).contains { state.files.contains(hash(String($0))) }
            let name = isBlocked ? names.fallback : names.path
            for folder in Self.folders(of: name) { _ = state.folders.insert(hash(String(folder))) }
            let isNew = state.files.insert(hash(name))
            if !state.folded.insert(hash(name.lowercased())), isNew { state.caseCollisions += 1 }
            return (name, isNew)
        }
    }

    private func hash(_ name: String) -> UInt64 { keyed.hash(Array(name.utf8).span) }

    private static func folders(of name: String) -> [Substring] {
        name.utf8.indices.filter { name.utf8[$0] == UInt8(ascii: "/") }.map { name[..<$0] }
    }
}
