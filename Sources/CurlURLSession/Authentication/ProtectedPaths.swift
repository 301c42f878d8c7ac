internal import Foundation

/// Which paths of which origins have accepted a credential, as a pure value.
///
/// What lies at the same depth as a path, or below, is taken to be in the same protection space (RFC
/// 7617, 2.2).
struct ProtectedPaths: Sendable {
    private struct Entry {
        /// Ends with a slash.
        let folder: String
        let space: URLProtectionSpace
    }

    private var entries: [String: [Entry]] = [:]

    /// More than that is no longer kept: origins, and folders of one of them.
    static let maximumOrigins = 256
    static let maximumFolders = 32

    mutating func note(_ space: URLProtectionSpace, at url: URL) {
        guard let origin = url.originText, let folder = Self.folder(of: url) else { return }
        if entries[origin] == nil, entries.count >= Self.maximumOrigins { entries = [:] }
        var known = entries[origin] ?? []
        known.removeAll { $0.folder == folder }
        if known.count >= Self.maximumFolders { known.removeFirst() }
        known.append(Entry(folder: folder, space: space))
        entries[origin] = known
    }

    /// The space of the deepest folder that a URL is in.
    func space(of url: URL) -> URLProtectionSpace? {
        guard let origin = url.originText, let known = entries[origin],
            let folder = Self.folder(of: url)
        else { return nil }
        return known.filter { folder.hasPrefix($0.folder) }
            .max { $0.folder.utf8.count < $1.folder.utf8.count }?.space
    }

    /// A space doesn't accept what it did.
    mutating func forget(_ space: URLProtectionSpace, at url: URL) {
        guard let origin = url.originText else { return }
        entries[origin]?.removeAll { $0.space == space }
    }

    /// The path without what follows its last slash; `nil` for one that leads back.
    private static func folder(of url: URL) -> String? {
        let path = url.path(percentEncoded: true)
        guard let slash = path.lastIndex(of: "/") else { return "/" }
        let isPlain = !path.contains("/.") && !path.lowercased().contains("%2e")
        return isPlain ? String(path[...slash]) : nil
    }
}
