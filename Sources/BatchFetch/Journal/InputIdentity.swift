import Curl

/// By what a list is known again: reading all of it would take too long.
struct InputIdentity: Sendable, Hashable {
    private static let sample = 64 * 1024

    var path: String
    var size: Int64
    /// When it was changed last, in nanoseconds since 1970.
    var modified: Int64
    /// Of its first and last 64 KiB.
    var hash: UInt64
    private var isPlain = true

    init(path: String, size: Int64, modified: Int64, hash: UInt64) {
        self.path = path
        self.size = size
        self.modified = modified
        self.hash = hash
    }

    /// Looks at several lists, or URLs that stand for themselves.
    ///
    /// - Throws: ``BatchFailure/Code/input`` if one is no plain file, or can't be read.
    init(of lists: [String]) throws(BatchFailure) {
        self.init(path: lists.joined(separator: " "), size: 0, modified: 0, hash: 0)
        for list in lists {
            guard case .file(let path) = InputList(list) else { continue }
            let identity = try InputIdentity(of: path)
            size += identity.size
            modified = max(modified, identity.modified)
            hash = StableHash.mixed(hash) ^ identity.hash
        }
    }

    /// Looks at a file.
    ///
    /// - Throws: ``BatchFailure/Code/input`` if it is no plain file, or can't be read.
    init(of path: String) throws(BatchFailure) {
        do throws(FileError) {
            let file = try FileDescriptor.openForReading(path)
            isPlain = try file.kind() == .regular
            let size = isPlain ? try file.size() : 0
            let first = isPlain ? try file.bytes(at: 0, upTo: Self.sample) : []
            let start = max(0, size - Int64(Self.sample))
            let last = isPlain ? try file.bytes(at: start, upTo: Self.sample) : []
            self.path = path
            self.size = size
            modified = try file.modificationTime()
            hash = StableHash.mixed(StableHash.hash(first)) ^ StableHash.hash(last)
        } catch {
            throw BatchFailure(.input, "\(error): name a file with one URL a line")
        }
        guard isPlain else {
            throw BatchFailure(
                .input,
                "“\(path)” is no plain file, which a journal needs: name one, or read standard "
                    + "input with a spool"
            )
        }
    }

    /// What is different about `other`, in words; nil if it is the same list.
    func change(to other: InputIdentity) -> String? {
        if path != other.path {
            return "it was begun with the list “\(path)”, not “\(other.path)”"
        }
        if size != other.size {
            return "the list had \(size) bytes when it was begun, and has \(other.size)"
        }
        if hash != other.hash { return "the list's content has changed since it was begun" }
        if modified != other.modified {
            return "the list was written to since it was begun"
        }
        return nil
    }
}
