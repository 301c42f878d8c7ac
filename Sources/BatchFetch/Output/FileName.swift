/// A relative path that is safe to make below an output folder.
struct FileName: Sendable, Hashable {
    /// Folders and file, parted by slashes; never empty, never absolute, without `.` and `..`.
    private(set) var path: String
    private var folders = ""
    private let second: Second

    /// The fallback without the folders in front. Few are ever asked for.
    private enum Second: Sendable, Hashable {
        case of(SafeName)
        case name(String)
    }

    init(_ name: SafeName) {
        path = name.path
        second = .of(name)
    }

    /// A name for a file whose ``path`` can't be had because a file is where it needs a folder.
    var fallback: String {
        switch second {
        case .of(let name): folders + name.fallback
        case .name(let name): folders + name
        }
    }

    /// Makes text from a list or a template safe: what has no place in a name becomes `_`, and so
    /// does the dot of `.` and `..` and of hidden files. What is too long is cut, and gets a hash.
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

    /// Puts folders, with a slash at their end, in front.
    mutating func prepend(_ folders: String) {
        path = folders + path
        self.folders = folders + self.folders
    }

    /// The same with a number before the extension: `a/b.txt` becomes `a/b-1.txt`.
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
        // Not within a character.
        var room = SafeName.maximumComponent - 30
        while room > 0, safe[room] & 0xC0 == 0x80 { room -= 1 }
        return String(decoding: safe[..<room], as: UTF8.self) + "~\(hash)\(end)"
    }
}
