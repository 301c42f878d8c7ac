internal import Glibc

/// A file below /proc, which may disappear before it has been read.
enum ProcessFile {
    /// Returns its content; empty if it doesn't exist or its subject has just ended. Not by
    /// Foundation, which leaks its buffer if no byte could be read (6.3).
    static func text(_ path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes: [UInt8] = []
        while true {
            var part = [UInt8](repeating: 0, count: 4096)
            let count = read(file, &part, part.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += part[..<count]
        }
    }
}
