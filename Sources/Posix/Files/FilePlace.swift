internal import Glibc

/// The target of a path, independent of its form.
///
/// Two paths with the same place name the same file, or would if it existed.
package enum FilePlace: Sendable, Hashable {
    /// An existing file.
    case file(FileIdentity)
    /// A missing file, as a name below an existing folder.
    case vacant(name: String, folder: FileIdentity)
}

extension FileSystem {
    /// The maximum number of symbolic links, as in Linux (`path_resolution(7)`).
    static let maximumLinks = 40

    /// The place of `path`, following symbolic links, including dangling ones.
    ///
    /// `nil` for files with several concurrent writers (pipes, terminals, devices), for folders,
    /// and if the place can't be determined.
    package static func place(of path: String) -> FilePlace? {
        guard !path.utf8.contains(0) else { return nil }
        var path = path
        for _ in 0...maximumLinks {
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

    /// The target of a symbolic link; nil if `path` is not one.
    static func target(of path: String) -> String? {
        linkTarget(of: path).map { $0.hasPrefix("/") ? $0 : "\(folder(of: path))/\($0)" }
    }

    /// The place of the standard input; nil if it is not a regular file.
    package static func placeOfStandardInput() -> FilePlace? {
        let input = FileDescriptor.standardInput
        guard (try? input.kind()) == .regular else { return nil }
        return (try? input.identity()).map { .file($0) }
    }

    /// The place of a missing file. Missing folders become part of the name.
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

    /// The content of a symbolic link. The corresponding C function is `readlink`.
    private static func linkTarget(of path: String) -> String? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &target, target.count)
        guard count > 0 else { return nil }
        // `CChar` is signed only on x86.
        let bytes = target[..<count].map { UInt8(truncatingIfNeeded: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
