internal import Posix
internal import Synchronization

/// An in-memory file that libcurl can read by its path.
///
/// It exists as long as this object.
///
/// libcurl caches parsed CA certificates by path, and doesn't cache them if they are passed as
/// bytes. Equal bytes share one file, because two files with the same content would evict each
/// other. Paths are unique in a process, though the kernel reuses the numbers of descriptors.
final class MemoryFile: Sendable {
    let path: String
    private let content: [UInt8]
    private let descriptor: FileDescriptor

    private struct Reference {
        weak var file: MemoryFile?
        let path: String
    }

    private struct Table {
        var references: [[UInt8]: Reference] = [:]
        /// The number of files created so far, plus one: other code may use the plain path.
        var count: UInt64 = 1
    }

    private static let table = Mutex(Table())

    /// A file that contains `content`: the existing one, or a new one.
    ///
    /// Fails if the kernel supports no such files, no descriptor is free, or `/proc` is missing.
    static func holding(_ content: [UInt8]) throws(FileError) -> MemoryFile {
        // Typed throws don't pass through the lock's closure, hence the `Result`.
        let result: Result<MemoryFile, FileError> = table.withLock { table in
            if let file = table.references[content]?.file { return .success(file) }
            do throws(FileError) {
                let file = try MemoryFile(content, number: table.count)
                table.count += 1
                table.references[content] = Reference(file: file, path: file.path)
                return .success(file)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Whether a file for `content` exists.
    static func isHeld(_ content: [UInt8]) -> Bool {
        table.withLock { $0.references[content] != nil }
    }

    private init(_ content: [UInt8], number: UInt64) throws(FileError) {
        let descriptor = try FileDescriptor.memory("curlnetworking-roots", holding: content)
        let path = PathVariant.path(descriptor.pathInProcess, number)
        // A failure here creates no object. Its deinit would take the lock that the caller holds.
        _ = try FileDescriptor.openForReading(path)
        self.descriptor = descriptor
        self.path = path
        self.content = content
    }

    deinit {
        Self.table.withLock { table in
            // Another thread may have created a file with the same content meanwhile. The path is
            // compared because reading the weak reference could release that file and call this
            // deinit recursively.
            if table.references[content]?.path == path { table.references[content] = nil }
        }
    }
}
