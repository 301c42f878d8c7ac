/// The safe relative path of a URL's file, from host and path.
///
///     https://example.org/a/photo.jpg          example.org/a/photo.jpg
///     http://example.org/                      example.org+80/~index.html
///     https://example.org/photo.jpg?w=100      example.org/photo~9c1f….jpg
///
/// The name follows from the URL alone, so neither this run nor the next one has to store names.
/// Two URLs never share a name. A name that represents its URL completely is used unchanged. Any
/// other name contains `~` and a hash of the whole URL: for a query, a fragment, a user, capitals
/// in the host, `..`, a component that is too long, and so on. This also applies to a URL that
/// contains `~` itself.
struct SafeName: Sendable, Hashable {
    /// The maximum length of a component in bytes; file systems allow 255.
    static let maximumComponent = 240
    /// The maximum length of the folders above the file, in bytes.
    ///
    /// With the file name and an output folder the path stays below the kernel's limit of 4,096.
    static let maximumFolders = 1_024

    /// Folder and file, separated by slashes.
    ///
    /// Never empty or absolute, and without `.` and `..`.
    let path: String
    private let folder: String
    private let file: String
    private let url: String

    init(_ target: FetchTarget) {
        let host = Self.host(of: target)
        folder = Self.folder(for: target, host)
        let rest = target.rest.utf8
        let isPlainPath = !rest.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        let urlPath = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        var components = urlPath.split(
            separator: UInt8(ascii: "/"),
            omittingEmptySubsequences: false
        )
        if !components.isEmpty { components.removeFirst() }
        var isExact = isPlainPath && host.isExact && Self.isExact(target) && !urlPath.isEmpty
        var names: [String] = []
        for component in components.dropLast() {
            let name = Self.component(component)
            isExact = isExact && name.isExact
            names.append(name.text)
        }
        let last = components.last.flatMap { $0.isEmpty ? nil : Self.component($0) }
        isExact = isExact && last?.isExact ?? true
        if names.reduce(0, { $0 + $1.utf8.count + 1 }) > Self.maximumFolders {
            names = []
            isExact = false
        }
        file = last?.text ?? "~index.html"
        url = target.url
        names.append(isExact ? file : Self.hashed(file, url: url))
        path = names.reduce(into: folder) { $0 += "/" + $1 }
    }

    /// The name to use if the path conflicts with another URL's. That happens with `/a` and `/a/b`:
    /// one is a file where the other needs a folder.
    ///
    /// It is never a folder of another URL.
    var fallback: String { "\(folder)/\(Self.hashed(file, url: url))" }

    /// Whether scheme, host, port and path represent the URL without its query.
    private static func isExact(_ target: FetchTarget) -> Bool {
        // A plain URL has no other parts.
        if target.requestURL != nil { return true }
        let scheme = target.isSecure ? "https" : "http"
        let hasDefaultPort = target.port == (target.isSecure ? 443 : 80)
        let authority = hasDefaultPort ? target.host : target.hostKey
        return target.url.utf8.elementsEqual("\(scheme)://\(authority)\(target.rest)".utf8)
    }

    /// Returns the host as a component. A `+` in the host could be mistaken for a port's.
    private static func host(of target: FetchTarget) -> (text: String, isExact: Bool) {
        let host = target.host
        let (text, isExact) = component(host.utf8[...])
        return (text, isExact && !host.utf8.contains(UInt8(ascii: "+")))
    }

    /// Returns the folder of a host. It has the port, unless that is 443 of `https`.
    ///
    /// With another port than 443, `https` has the suffix `s`.
    private static func folder(
        for target: FetchTarget,
        _ name: (text: String, isExact: Bool)
    ) -> String {
        let host = name.isExact ? name.text : hashed(name.text, url: target.host)
        guard target.isSecure else { return "\(host)+\(target.port)" }
        return target.port == 443 ? host : "\(host)+\(target.port)s"
    }

    /// Replaces unsafe bytes of a component by `_`. `isExact` is whether none was replaced.
    private static func component(
        _ bytes: Substring.UTF8View
    ) -> (text: String, isExact: Bool) {
        var safe: [UInt8] = []
        var isExact = !bytes.isEmpty && bytes.count <= maximumComponent
        for byte in bytes.prefix(maximumComponent) {
            // A leading dot would make `.`, `..` or a hidden file.
            if isSafe(byte) && !(safe.isEmpty && byte == UInt8(ascii: ".")) {
                safe.append(byte)
            } else {
                safe.append(UInt8(ascii: "_"))
                isExact = false
            }
        }
        return (safe.isEmpty ? "_" : String(decoding: safe, as: UTF8.self), isExact)
    }

    /// Whether a byte is safe in shells and file systems. Letters, digits and some punctuation are.
    private static func isSafe(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "%"),
            UInt8(ascii: "(")...UInt8(ascii: ")"), UInt8(ascii: "+")...UInt8(ascii: "."),
            UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "@"), UInt8(ascii: "_"):
            true
        default:
            false
        }
    }

    /// Adds a hash before the extension: `photo.jpg` becomes `photo~0123456789abcdef.jpg`.
    ///
    /// The extension stays, because programs rely on it.
    private static func hashed(_ file: String, url: String) -> String {
        let suffix = "~" + StableHash.digits(url.utf8)
        let bytes = file.utf8
        let dot = bytes.lastIndex(of: UInt8(ascii: "."))
        let end = dot.flatMap { dot in
            let length = bytes.distance(from: dot, to: bytes.endIndex)
            return length <= 12 && dot > bytes.startIndex ? dot : nil
        }
        let room = maximumComponent - suffix.utf8.count - 12
        guard let end else { return String(file.prefix(room)) + suffix }
        return String(file[..<end].prefix(room)) + suffix + file[end...]
    }
}
