internal import Glibc

extension FileSystem {
    /// The names of `path` relative to an existing folder, if it is below it.
    ///
    /// They are the path's own name, and those of the targets if it is a symbolic link. The file
    /// needn't exist.
    package static func names(of path: String, below folder: String) -> [String] {
        var names: [String] = []
        var path = path
        for _ in 0...maximumLinks {
            if let name = name(of: path, below: folder) { names.append(name) }
            guard let target = target(of: path) else { break }
            path = target
        }
        return names
    }

    /// The name of one path. The corresponding C function is `realpath`.
    private static func name(of path: String, below folder: String) -> String? {
        guard let file = path.split(separator: "/").last, file != ".", file != "..",
            let parent = realPath(self.folder(of: path)), let folder = realPath(folder)
        else { return nil }
        let root = folder == "/" ? "/" : folder + "/"
        let whole = parent == "/" ? "/\(file)" : "\(parent)/\(file)"
        return whole.hasPrefix(root) ? String(whole.dropFirst(root.count)) : nil
    }

    /// The real path of an existing file below a folder.
    ///
    /// Symbolic links and `..` are resolved first, so that neither leads out of the folder.
    ///
    /// - Parameter path: Relative to the folder, or absolute.
    /// - Returns: `nil` if the file is not below the folder.
    /// - Throws: ``FileError`` if one of them doesn't exist or can't be resolved.
    package static func realPath(
        of path: String,
        below folder: String
    ) throws(FileError) -> String? {
        for text in [folder, path] where text.utf8.contains(0) {
            throw FileError(operation: "open", path: text, errno: EINVAL)
        }
        guard let root = realPath(folder) else {
            throw FileError(operation: "open", path: folder, errno: errno)
        }
        let whole = path.hasPrefix("/") ? path : "\(folder)/\(path)"
        guard let real = realPath(whole) else {
            throw FileError(operation: "open", path: whole, errno: errno)
        }
        return real.utf8.starts(with: (root == "/" ? root : root + "/").utf8) ? real : nil
    }

    private static func realPath(_ path: String) -> String? {
        guard !path.utf8.contains(0), let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }
}
