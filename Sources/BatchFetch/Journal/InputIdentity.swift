import Posix

/// Identifies the input lists of a journal.
struct InputIdentity: Sendable, Hashable {
    /// The lists as given, separated by spaces.
    var path: String
    /// The size of all lists in bytes.
    var size: Int64
    /// The last modification of any list, in nanoseconds since 1970.
    var modified: Int64
    /// A hash of the first and last 64 KiB of each list.
    var hash: UInt64
    /// The lists that are files, in order. Empty if a journal doesn't record them.
    var lists: [ListIdentity] = []
    /// Whether a URL follows the last list that is a file. A journal doesn't record it.
    private var isFollowed = false

    init(path: String, size: Int64, modified: Int64, hash: UInt64) {
        self.path = path
        self.size = size
        self.modified = modified
        self.hash = hash
    }

    /// Identifies several lists, without reading them completely; an argument may also be a URL to
    /// fetch.
    ///
    /// A journal must not store secrets. So user name and password of a URL don't count, and what
    /// else a report doesn't show, such as the query, is only part of a hash.
    ///
    /// - Throws: ``BatchFailure/Code/input`` if a list is not a regular file, or can't be read.
    init(of lists: [String]) throws(BatchFailure) {
        self.init(path: "", size: 0, modified: 0, hash: 0)
        var names: [String] = []
        for list in lists {
            switch InputList(list) {
            case .standardInput: names.append(list)
            case .file(let path):
                names.append(list)
                self.lists.append(try ListIdentity(of: path))
            case .url(let url):
                let hidden = Self.hash(hiddenIn: url)
                hash = StableHash.mixed(hash) ^ hidden
                names.append(URLText.forReport(url))
            }
        }
        // Files that grow change the common hash, so that of the URLs is kept beside their names.
        if !self.lists.isEmpty, hash != 0 { names.append("(\(String(hash, radix: 16)))") }
        path = names.joined(separator: " ")
        if let last = lists.last, case .url = InputList(last) { isFollowed = true }
        if !self.lists.isEmpty { summarise() }
    }

    /// Returns a hash of what a report doesn't show of a URL, without its user name and password; 0
    /// if it shows everything.
    private static func hash(hiddenIn url: String) -> UInt64 {
        let plain = URLText.withoutUserInfo(url)
        return plain == URLText.forReport(url) ? 0 : StableHash.hash(plain.utf8)
    }

    /// Sets the common properties of all lists.
    private mutating func summarise() {
        size = lists.reduce(0) { $0 + $1.size }
        modified = lists.map(\.modified).max() ?? 0
        hash = lists.reduce(0) { StableHash.mixed($0) ^ $1.hash }
    }

    /// Returns how `other` differs, in words. Returns `nil` if it may be the same list.
    func change(to other: InputIdentity) -> String? {
        if path != other.path {
            return "it was started with the list “\(path)”, not “\(other.path)”"
        }
        // The lists themselves are compared by their content.
        guard lists.isEmpty else { return nil }
        if size != other.size {
            return "the list had \(size) bytes when it was started, and now has \(other.size)"
        }
        if hash != other.hash {
            return size == 0 && path.contains("…")
                ? "the URL has changed since it was started"
                : "the list's content has changed since it was started"
        }
        if modified != other.modified {
            return "the list was modified since it was started"
        }
        return nil
    }

    /// The result of comparing lists with those of an earlier run.
    enum Comparison {
        /// They are the same, or the last one has grown. The value is what the journal records now.
        case resumable(InputIdentity)
        /// They differ, as the text says.
        case changed(String)
    }

    /// Compares these lists with those of an earlier run; `nil` if there was none.
    ///
    /// Reads a list completely if it is new to the journal, or if its size or time has changed.
    ///
    /// - Throws: ``BatchFailure/Code/input`` if a list can't be read.
    func resuming(_ earlier: InputIdentity?) throws(BatchFailure) -> Comparison {
        var identity = self
        guard let earlier else {
            for index in lists.indices {
                identity.lists[index].checksum = try lists[index].currentChecksum()
            }
            return .resumable(identity)
        }
        // A journal of an earlier version, whose lists were compared by their times.
        guard !earlier.lists.isEmpty else { return .resumable(earlier) }
        guard earlier.lists.count == lists.count else {
            return .changed("it was started with other lists")
        }
        for index in lists.indices {
            let isLast = index == lists.count - 1 && !isFollowed
            switch try lists[index].comparison(with: earlier.lists[index], isLast: isLast) {
            case .same(let checksum): identity.lists[index].checksum = checksum
            case .changed(let reason): return .changed(reason)
            }
        }
        // The header that was read back is compared with this one, and lacks this fact.
        identity.isFollowed = earlier.isFollowed
        return .resumable(identity)
    }
}
