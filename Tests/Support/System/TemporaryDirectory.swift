internal import Foundation

/// A folder that is removed with its contents at the last reference's release.
package final class TemporaryDirectory: Sendable {
    package let path: String

    /// - Parameter base: The parent folder; if nil, the system's folder for temporary files.
    package init(in base: String? = nil) throws {
        let base = base ?? FileManager.default.temporaryDirectory.path
        path = base + "/curlnetworking-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    package func path(_ name: String) -> String { path + "/" + name }

    /// Writes a file and returns its path.
    @discardableResult
    package func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    package func read(_ name: String) throws -> [UInt8] {
        let attributes = try FileManager.default.attributesOfItem(atPath: path(name))
        // Foundation leaks the buffer for an empty file (6.3).
        if attributes[.size] as? UInt64 == 0 { return [] }
        return try [UInt8](Data(contentsOf: URL(fileURLWithPath: path(name))))
    }

    package func contents() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    /// The files below a folder, without the folders.
    package static func files(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).filter { path in
            var isFolder: ObjCBool = false
            let full = "\(folder)/\(path)"
            return FileManager.default.fileExists(atPath: full, isDirectory: &isFolder)
                && !isFolder.boolValue
        }
    }
}

/// File systems in memory that are soon full.
package enum SmallDisk {
    /// Whether this process may mount one.
    package static let isPossible: Bool = {
        guard let folder = try? TemporaryDirectory(), mount("size=64k", folder.path) else {
            return false
        }
        unmount(folder.path)
        return true
    }()

    /// Mounts a tmpfs. It requires root, and not every system allows it.
    package static func mount(_ options: String, _ path: String) -> Bool {
        guard geteuid() == 0, let mount = Executable.path("mount") else { return false }
        let result = try? ChildProcess.run([mount, "-t", "tmpfs", "-o", options, "none", path])
        return result?.status == 0
    }

    package static func unmount(_ path: String) {
        guard let unmount = Executable.path("umount") else { return }
        _ = try? ChildProcess.run([unmount, "-l", path])
    }
}
