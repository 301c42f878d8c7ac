internal import Glibc

extension FileSystem {
    /// The name of `path` relative to a folder that is there; `nil` if it isn't below it. The file itself
    /// needn't be there, and a symbolic link of that name is not followed. The corresponding C function is
    /// `realpath`.
    package static func name(of path: String, below folder: String) -> String? {
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
