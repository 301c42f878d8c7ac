internal import Glibc

/// Where a path leads, however it is spelt: two paths of one place name the same file, or would if it
/// were there.
package enum FilePlace: Sendable, Hashable {
    /// The file that is there.
    case file(FileIdentity)
    /// Nothing yet: a name below a folder that is there.
    case vacant(name: String, folder: FileIdentity)
}

extension FileSystem {
    /// As many symbolic links as Linux follows (`path_resolution(7)`).
    static let mostLinks = 40

    /// Where `path` leads, through symbolic links and those that lead nowhere yet; `nil` for what more
    /// than one may write to at once (pipes, terminals, devices), for folders, and for what can't be
    /// found out.
    package static func place(of path: String) -> FilePlace? {
        guard !path.utf8.contains(0) else { return nil }
        var path = path
        for _ in 0...mostLinks {
            var status = stat()
            if unsafe stat(path, &status) == 0 {
                let isFile = FileDescriptor.Kind(mode: status.st_mode) == .regular
                return isFile ? .file(FileIdentity(status)) : nil
            }
            guard let target = target(of: path) else { return vacant(path) }
            path = target
        }
        return nil
    }

    /// Where a symbolic link leads; nil for what is none.
    static func target(of path: String) -> String? {
        linkTarget(of: path).map { $0.hasPrefix("/") ? $0 : "\(folder(of: path))/\($0)" }
    }

    /// The same of the standard input, as far as it is a file.
    package static func placeOfStandardInput() -> FilePlace? {
        let input = FileDescriptor.standardInput
        guard (try? input.kind()) == .regular else { return nil }
        return (try? input.identity()).map { .file($0) }
    }

    /// Folders that are missing, too, are a part of the name.
    private static func vacant(_ path: String) -> FilePlace? {
        var names: [Substring] = []
        var folder = path
        var status = stat()
        repeat {
            guard let name = folder.split(separator: "/").last else { return nil }
            names.append(name)
            let parent = self.folder(of: folder)
            guard parent != folder else { return nil }
            folder = parent
        } while unsafe stat(folder, &status) != 0
        var parts: [Substring] = []
        for name in names.reversed() where name != "." {
            if name != ".." {
                parts.append(name)
            } else if parts.popLast() == nil {
                return nil
            }
        }
        return .vacant(name: parts.joined(separator: "/"), folder: FileIdentity(status))
    }

    static func folder(of path: String) -> String {
        parent(of: path) ?? (path.hasPrefix("/") ? "/" : ".")
    }

    /// What a symbolic link says. The corresponding C function is `readlink`.
    private static func linkTarget(of path: String) -> String? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &target, target.count)
        guard count > 0 else { return nil }
        return String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
