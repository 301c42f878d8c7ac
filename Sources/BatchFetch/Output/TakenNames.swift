import Synchronization

/// The names that a run has given to bodies, as far as the list or a template says them: others are never
/// another URL's. So no body takes another one's place within a run, whatever becomes of files that were
/// there before.
final class TakenNames: Sendable {
    private let seen = Mutex(SeenSet())
    private let hash = KeyedHash()

    /// Gives a name to the body of a URL; false if another URL's body has it.
    func take(_ name: String, for url: String) -> Bool {
        let (any, own) = hashes(name, url)
        return seen.withLock { seen in
            guard seen.insert(any) else { return seen.contains(own) }
            _ = seen.insert(own)
            return true
        }
    }

    /// Whether another URL's body has the name.
    func isForeign(_ name: String, for url: String) -> Bool {
        let (any, own) = hashes(name, url)
        return seen.withLock { $0.contains(any) && !$0.contains(own) }
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

    /// A file has the name that is to stay.
    static func existingFile(_ name: String) -> BatchFailure {
        BatchFailure(
            .existingFile,
            "a file has the name “\(name)”: skip, number or overwrite existing files, or name "
                + "another folder"
        )
    }
}
