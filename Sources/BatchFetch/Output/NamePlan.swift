import Synchronization

/// The names that the bodies of a list would have, as far as they are known before there are
/// responses, and which of them collide.
final class NamePlan: Sendable {
    private struct State: Sendable {
        var folded = SeenSet()
        /// Of files, and of the folders that they are in.
        var files = SeenSet()
        var folders = SeenSet()
        var caseCollisions = 0
    }

    private let state = Mutex(State())
    private let keyed = KeyedHash()
    private let taken: TakenNames

    init(_ taken: TakenNames) {
        self.taken = taken
    }

    /// Names that differ from another one in nothing but the case of letters.
    var caseCollisions: Int { state.withLock { $0.caseCollisions } }

    /// What a URL would come to: where its body would be, or why it would be no other's place.
    func result(for job: FetchJob, _ output: BatchOutput) -> BatchResult {
        var result = BatchResult(url: job.target.url, line: job.line, ordinal: job.ordinal)
        result.tag = job.target.details?.request.tag
        guard case .directory(_, let naming) = output.kind, naming.isKnownEarly(for: job) else {
            return result
        }
        let names = naming.name(for: job, contentType: nil)
        let (name, isNew) = place(names)
        result.path = name
        guard naming.existing != .number else { return result }
        // The same URL once more has the same body, and the name is its own.
        guard taken.take(name, for: job.target.url) else {
            result.failure = .nameCollision(name)
            return result
        }
        if naming.existing == .error, !isNew { result.failure = .existingFile(name) }
        return result
    }

    /// The name that a body would have, and whether no other would have had it before: where a file is in the
    /// place of a folder, or the other way round, it is the second one.
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
        name.indices.filter { name[$0] == "/" }.map { name[..<$0] }
    }
}
