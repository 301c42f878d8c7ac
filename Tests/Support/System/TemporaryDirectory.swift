internal import Foundation

/// A folder that is removed, with all in it, when the last reference is gone.
package final class TemporaryDirectory: Sendable {
    package let path: String

    /// - Parameter base: The folder that it is made in; the system's for temporary files where it is nil.
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
        // Foundation leaks the buffer that it reads an empty file into (6.3).
        if attributes[.size] as? UInt64 == 0 { return [] }
        return try [UInt8](Data(contentsOf: URL(fileURLWithPath: path(name))))
    }

    package func contents() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }
}
