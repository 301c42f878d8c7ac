import Glibc

@testable import Curl

/// A folder of a test's own, removed with what is in it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        path = base + "/curl-tests-\(getpid())-\(UInt64.random(in: .min ... .max))"
        try FileSystem.makeDirectory(path)
    }

    deinit {
        for name in (try? names) ?? [] { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    /// What is in the folder.
    var names: [String] {
        get throws {
            guard let folder = opendir(path) else {
                throw FileError(operation: "list", path: path, errno: errno)
            }
            defer { closedir(folder) }
            var names: [String] = []
            while let entry = readdir(folder) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != ".", name != ".." { names.append(name) }
            }
            return names.sorted()
        }
    }

    func contents(of name: String) throws -> [UInt8] {
        let file = try FileDescriptor.openForReading("\(path)/\(name)")
        var bytes: [UInt8] = []
        while try file.read(appendingTo: &bytes, upTo: 1000) > 0 {}
        return bytes
    }
}
