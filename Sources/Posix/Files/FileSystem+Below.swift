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

    private static func realPath(_ path: String) -> String? {
        guard !path.utf8.contains(0), let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }
}
