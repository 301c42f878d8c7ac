internal import Foundation

/// Leaves the values of items out of the queries and fragments of URLs.
struct SecretQuery {
    /// In lower case.
    private let names: Set<String>
    private let hidden: String

    init(_ names: Set<String>, hidden: String) {
        (self.names, self.hidden) = (names, hidden)
    }

    /// A URL with the same items, whose values are shown where their names aren't those of secrets.
    func hide(in url: String) -> String {
        let isMark = { (byte: UInt8) in byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") }
        guard let mark = url.utf8.firstIndex(where: isMark) else { return url }
        var shown = String(url[..<mark])
        var rest = url[mark...]
        // Fragments have items, too, be it behind a path: “#token=…”, “#/page?token=…”.
        while let separator = rest.utf8.first {
            shown.unicodeScalars.append(Unicode.Scalar(separator))
            rest = rest[rest.utf8.index(after: rest.startIndex)...]
            let end = rest.utf8.firstIndex { isMark($0) || $0 == UInt8(ascii: "&") }
            shown += hide(rest[..<(end ?? rest.endIndex)])
            rest = rest[(end ?? rest.endIndex)...]
        }
        return shown
    }

    private func hide(_ item: Substring) -> String {
        guard let sign = item.utf8.firstIndex(of: UInt8(ascii: "=")) else { return String(item) }
        let name = item[..<sign]
        let plain = (name.removingPercentEncoding ?? String(name)).lowercased()
        return names.contains(plain) ? "\(name)=\(hidden)" : String(item)
    }
}
