internal import Curl
internal import Synchronization

/// Bytes in a temporary file that nobody else can read, for as long as this object lives.
///
/// Equal bytes share one file, because libcurl keeps the parsed form of CA certificates by the
/// file's path: two files with the same content would push each other out.
final class PrivateFile: Sendable {
    let path: String
    private let content: [UInt8]

    private struct Reference {
        weak var file: PrivateFile?
        let path: String
    }

    private static let files = Mutex<[[UInt8]: Reference]>([:])

    /// A file that holds `content`: the one that exists, or a new one. Blocks on the device.
    static func holding(_ content: [UInt8]) throws(FileError) -> PrivateFile {
        // Typed throws don't pass through the lock's closure, so the failure goes round it.
        let result: Result<PrivateFile, FileError> = files.withLock { files in
            if let file = files[content]?.file { return .success(file) }
            do throws(FileError) {
                let file = try PrivateFile(content)
                files[content] = Reference(file: file, path: file.path)
                return .success(file)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Whether a file for `content` exists.
    static func isHeld(_ content: [UInt8]) -> Bool {
        files.withLock { $0[content] != nil }
    }

    private init(_ content: [UInt8]) throws(FileError) {
        let folder = ProcessEnvironment.value(of: "TMPDIR").flatMap { $0.isEmpty ? nil : $0 }
        let name = String(UInt64.random(in: .min ... .max), radix: 36)
        let path = "\(folder ?? "/tmp")/curlnetworking-\(name).pem"
        let file = try FileDescriptor.openForWriting(path, creation: .exclusive, mode: 0o600)
        do {
            try file.write(content.span)
            try file.close()
        } catch {
            try? FileSystem.remove(path)
            throw error
        }
        self.path = path
        self.content = content
    }

    deinit {
        try? FileSystem.remove(path)
        Self.files.withLock { files in
            // Another thread may have made a new file of the same content by now. The weak
            // reference isn't looked at: letting go of what it gives could end here again.
            if files[content]?.path == path { files[content] = nil }
        }
    }
}
