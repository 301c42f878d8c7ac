/// A safe path relative to the output folder.
struct FileName: Sendable, Hashable {
    /// Folders and file, separated by slashes.
    ///
    /// Never empty or absolute, and without `.` and `..`.
    private(set) var path: String
    private var folders = ""
    private let second: Second

    /// The fallback without the folders in front. Computed on demand, because few are needed.
    private enum Second: Sendable, Hashable {
        case of(SafeName)
        case name(String)
    }

    init(_ name: SafeName) {
        path = name.path
        second = .of(name)
    }

    /// The name to use if ``path`` needs a folder where a file exists.
    var fallback: String {
        switch second {
        case .of(let name): folders + name.fallback
        case .name(let name): folders + name
        }
    }

    /// Makes text from a list or a template a safe name.
    ///
    /// Replaces unsafe characters, and the leading dot of `.`, `..` and hidden files, by `_`.
    /// Truncates what is too long, and adds a hash.
    init(_ text: String, url: String) {
        let hash = StableHash.digits(url.utf8)
        var parts = text.utf8.split(separator: UInt8(ascii: "/")).map {
            Self.component($0, hash: hash)
        }
        if parts.isEmpty { parts = ["~\(hash)"] }
        let folders = parts.dropLast().reduce(0) { $0 + $1.utf8.count + 1 }
        if folders > SafeName.maximumFolders, let file = parts.last { parts = ["~\(hash)", file] }
        path = parts.joined(separator: "/")
        second = .name("~\(hash)")
    }

    /// Adds folders, with a final slash, at the beginning.
    mutating func prepend(_ folders: String) {
        path = folders + path
        self.folders = folders + self.folders
    }

    /// Adds a number before the extension: `a/b.txt` becomes `a/b-1.txt`.
    static func numbered(_ path: String, _ number: Int) -> String {
        guard number > 0 else { return path }
        let bytes = path.utf8
        let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes.index(after: $0) }
        let file = path[(start ?? path.startIndex)...]
        let (stem, ending) = FileExtension.split(String(file))
        return "\(path[..<file.startIndex])\(stem)-\(number)\(ending)"
    }

    private static func component(_ bytes: Substring.UTF8View, hash: String) -> String {
        var safe = bytes.map { byte in
            byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\\") ? UInt8(ascii: "_") : byte
        }
        if safe.first == UInt8(ascii: ".") { safe[0] = UInt8(ascii: "_") }
        guard safe.count > SafeName.maximumComponent else {
            return String(decoding: safe, as: UTF8.self)
        }
        let dot = safe.lastIndex(of: UInt8(ascii: ".")).flatMap { safe.count - $0 <= 12 ? $0 : nil }
        let end = dot.map { String(decoding: safe[$0...], as: UTF8.self) } ?? ""
        // Doesn't cut through a UTF-8 character.
        var room = SafeName.maximumComponent - 30
        while room > 0, safe[room] & 0xC0 == 0x80 { room -= 1 }
        return String(decoding: safe[..<room], as: UTF8.self) + "~\(hash)\(end)"
    }
}
