internal import Foundation

/// Leaves the values of items out of the queries of URLs.
struct SecretQuery {
    /// In lower case.
    private let names: Set<String>
    private let hidden: String

    init(_ names: Set<String>, hidden: String) {
        (self.names, self.hidden) = (names, hidden)
    }

    /// A URL with the same items, whose values are shown where their names aren't those of secrets.
    func hide(in url: String) -> String {
        let fragment = url.utf8.firstIndex(of: UInt8(ascii: "#")) ?? url.endIndex
        guard let mark = url.utf8[..<fragment].firstIndex(of: UInt8(ascii: "?")) else { return url }
        let start = url.utf8.index(after: mark)
        let items = url.utf8[start..<fragment].split(
            separator: UInt8(ascii: "&"),
            omittingEmptySubsequences: false
        )
        let query = items.map { hide(Substring($0)) }.joined(separator: "&")
        return String(url[..<start]) + query + String(url[fragment...])
    }

    private func hide(_ item: Substring) -> String {
        guard let sign = item.utf8.firstIndex(of: UInt8(ascii: "=")) else { return String(item) }
        let name = item[..<sign]
        let plain = (name.removingPercentEncoding ?? String(name)).lowercased()
        return names.contains(plain) ? "\(name)=\(hidden)" : String(item)
    }
}
