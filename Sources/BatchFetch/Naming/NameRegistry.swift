import Posix
import Synchronization

/// A registry of the names that a run has given to bodies.
///
/// Contains only names from the list or a template; other names are unique for each URL. So no body
/// replaces another URL's body within a run, whatever happens to existing files.
///
/// If the run continues earlier ones, it also contains the names in their results, as long as the
/// file exists. The results are read when the first name is looked up.
final class NameRegistry: Sendable {
    private struct State: Sendable {
        var seen = SeenSet()
        /// The names of earlier runs, once their results were read.
        var earlier: SeenSet?
    }

    private let state = Mutex(State())
    private let hash = KeyedHash()
    private let results: [String]
    private let folder: String?

    /// - Parameters:
    ///   - results: The result files of earlier runs.
    ///   - folder: The output folder. With `nil`, names of earlier runs count in any case.
    init(after results: [String] = [], in folder: String? = "") {
        self.results = results
        self.folder = folder
    }

    /// Registers a name for a URL. Returns false if another URL's body has it. May block on the
    /// disk.
    func take(_ name: String, for url: String) -> Bool {
        let (any, own) = hashes(name, url)
        return state.withLock { state in
            if isForeign(any, own, name, &state) { return false }
            _ = state.seen.insert(any)
            _ = state.seen.insert(own)
            return true
        }
    }

    /// Whether another URL's body has the name. May block on the disk.
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
        guard let folder else { return true }
        return (try? FileSystem.kind(of: "\(folder)/\(name)")) == .regular
    }

    /// Unreadable results contribute no names. A run can't use such results and reports that
    /// itself.
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
    /// The failure if another URL's body has the name.
    static func nameCollision(_ name: String) -> BatchFailure {
        BatchFailure(
            .nameCollision,
            "another URL has the same name “\(name)”: use {ordinal} or {sha256} in the template, "
                + "or number existing files"
        )
    }

    /// The failure if the run itself writes a file with the name.
    static func ownFile(_ name: String) -> BatchFailure {
        BatchFailure(
            .nameCollision,
            "the name “\(name)” is that of a file of the run itself: name another folder, or "
                + "use another template"
        )
    }

    /// The failure if a file with the name has to stay.
    static func existingFile(_ name: String) -> BatchFailure {
        BatchFailure(
            .existingFile,
            "the file “\(name)” already exists: skip, number or overwrite existing files, or name "
                + "another folder"
        )
    }
}
