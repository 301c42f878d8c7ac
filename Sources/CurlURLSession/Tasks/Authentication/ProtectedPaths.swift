internal import Foundation

/// The paths of each origin that have accepted a credential.
///
/// This is a pure value. Paths at the same depth or below count as the same protection space (RFC
/// 7617, 2.2).
struct ProtectedPaths: Sendable {
    private struct Entry {
        /// Ends with a slash.
        let folder: String
        let space: URLProtectionSpace
    }

    private var entries: [String: [Entry]] = [:]

    /// Limits of origins, and of folders per origin. Exceeding the first removes all origins;
    /// exceeding the second removes the origin's oldest folder.
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

    /// The protection space of the deepest recorded folder that contains a URL.
    func space(of url: URL) -> URLProtectionSpace? {
        guard let origin = url.originText, let known = entries[origin],
            let folder = Self.folder(of: url)
        else { return nil }
        return known.filter { folder.hasPrefix($0.folder) }
            .max { $0.folder.utf8.count < $1.folder.utf8.count }?.space
    }

    /// Removes a protection space that has refused its recorded credential.
    mutating func forget(_ space: URLProtectionSpace, at url: URL) {
        guard let origin = url.originText else { return }
        entries[origin]?.removeAll { $0.space == space }
    }

    /// The path up to its last slash. It is `nil` if a segment begins with a dot, as `..` does.
    private static func folder(of url: URL) -> String? {
        let path = url.path(percentEncoded: true)
        guard let slash = path.lastIndex(of: "/") else { return "/" }
        let isPlain = !path.contains("/.") && !path.lowercased().contains("%2e")
        return isPlain ? String(path[...slash]) : nil
    }
}
