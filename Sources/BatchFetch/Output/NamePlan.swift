import Synchronization

/// The names that the bodies of a list would have, as far as they are known before there are
/// responses, and which of them collide.
final class NamePlan: Sendable {
    private struct State: Sendable {
        var names = SeenSet()
        var folded = SeenSet()
        var caseCollisions = 0
    }

    private let state = Mutex(State())
    private let hash = KeyedHash()

    /// Names that differ from another one in nothing but the case of letters.
    var caseCollisions: Int { state.withLock { $0.caseCollisions } }

    /// What a URL would come to: where its body would be, or why it would be no other's place.
    func result(for job: FetchJob, _ output: BatchOutput) -> BatchResult {
        var result = BatchResult(url: job.target.url, line: job.line, ordinal: job.ordinal)
        result.tag = job.target.details?.request.tag
        guard case .directory(_, let naming) = output.kind, naming.isKnownEarly(for: job) else {
            return result
        }
        let name = naming.name(for: job, contentType: nil).path
        result.path = name
        guard !isNew(name), naming.existing != .number else { return result }
        result.failure = .nameCollision(name)
        return result
    }

    private func isNew(_ name: String) -> Bool {
        let exact = hash.hash([Array(name.utf8)])
        let folded = hash.hash([Array(name.lowercased().utf8)])
        return state.withLock { state in
            let isNew = state.names.insert(exact)
            if !state.folded.insert(folded), isNew { state.caseCollisions += 1 }
            return isNew
        }
    }
}
