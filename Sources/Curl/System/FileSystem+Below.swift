internal import Glibc

extension FileSystem {
    /// The names of `path` relative to a folder that is there, as far as it is below it: its own, and those of
    /// what it leads to as a symbolic link. Nothing needs to be there yet.
    package static func names(of path: String, below folder: String) -> [String] {
        var names: [String] = []
        var path = path
        for _ in 0...mostLinks {
            if let name = name(of: path, below: folder) { names.append(name) }
            guard let target = target(of: path) else { break }
            path = target
        }
        return names
    }

    /// The corresponding C function is `realpath`.
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
