internal import Foundation

/// Hides the values of secret items in URL queries and fragments.
struct SecretQuery {
    /// Names of secret items, in lower case.
    private let names: Set<String>
    private let hidden: String

    init(_ names: Set<String>, hidden: String) {
        (self.names, self.hidden) = (names, hidden)
    }

    /// Replaces the values of a URL's secret items with the placeholder.
    func hide(in url: String) -> String {
        let isMark = { (byte: UInt8) in byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") }
        guard let mark = url.utf8.firstIndex(where: isMark) else { return url }
        var shown = String(url[..<mark])
        var rest = url[mark...]
        // Fragments contain items, too, possibly after a path: “#token=…”, “#/page?token=…”.
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
