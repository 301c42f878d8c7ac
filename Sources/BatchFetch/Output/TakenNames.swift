import Curl
import Synchronization

/// The names that a run has given to bodies, as far as the list or a template says them: others are never
/// another URL's. So no body takes another one's place within a run, whatever becomes of files that were
/// there before.
///
/// What earlier runs have given counts, too, where this one goes on with theirs: by their results, which are
/// read when the first name is asked about, and as long as there is such a file.
final class TakenNames: Sendable {
    private struct State: Sendable {
        var seen = SeenSet()
        /// Of earlier runs, once their results have been read.
        var earlier: SeenSet?
    }

    private let state = Mutex(State())
    private let hash = KeyedHash()
    private let results: [String]
    private let folder: String

    /// - Parameters:
    ///   - results: The files of earlier runs' results.
    ///   - folder: Where the bodies are.
    init(after results: [String] = [], in folder: String = "") {
        self.results = results
        self.folder = folder
    }

    /// Gives a name to the body of a URL; false if another URL's body has it. It may wait for the disk.
    func take(_ name: String, for url: String) -> Bool {
        let (any, own) = hashes(name, url)
        return state.withLock { state in
            if isForeign(any, own, name, &state) { return false }
            _ = state.seen.insert(any)
            _ = state.seen.insert(own)
            return true
        }
    }

    /// Whether another URL's body has the name. It may wait for the disk.
    func isForeign(_ name: String, for url: String) -> Bool {
        let (any, own) = hashes(name, url)
        return state.withLock { isForeign(any, own, name, &$0) }
    }

    private func isForeign(
        _ any: UInt64,
        _ own: UInt64,
        _ name: String,
        _ state: inout State
    ) -> Bool {
        if state.seen.contains(any) { return !state.seen.contains(own) }
        let earlier = state.earlier ?? readResults()
        state.earlier = earlier
        guard earlier.contains(any), !earlier.contains(own) else { return false }
        return (try? FileSystem.kind(of: "\(folder)/\(name)")) == .regular
    }

    /// What can't be read names nothing: a run can't go on with such results, and says so itself.
    private func readResults() -> SeenSet {
        var names = SeenSet()
        for path in results {
            guard let file = try? LoggedResults.open(path) else { continue }
            try? LoggedResults.read(file) { line, _ in
                guard let name = line.path, let url = line.url else { return }
                _ = names.insert(hash.hash([name]))
                _ = names.insert(hash.hash([name, url]))
            }
        }
        return names
    }

    private func hashes(_ name: String, _ url: String) -> (any: UInt64, own: UInt64) {
        let name = Array(name.utf8)
        return (hash.hash([name]), hash.hash([name, Array(url.utf8)]))
    }
}

extension BatchFailure {
    /// Another URL's body has the name.
    static func nameCollision(_ name: String) -> BatchFailure {
        BatchFailure(
            .nameCollision,
            "another URL has the name “\(name)”, too: use {ordinal} or {sha256} in the template, "
                + "or number existing files"
        )
    }

    /// The run itself writes a file of that name.
    static func ownFile(_ name: String) -> BatchFailure {
        BatchFailure(
            .nameCollision,
            "the run's own file “\(name)” has the name: name another folder, or another template"
        )
    }

    /// A file has the name that is to stay.
    static func existingFile(_ name: String) -> BatchFailure {
        BatchFailure(
            .existingFile,
            "a file has the name “\(name)”: skip, number or overwrite existing files, or name "
                + "another folder"
        )
    }
}
