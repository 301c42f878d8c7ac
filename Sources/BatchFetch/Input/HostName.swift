import Curl

/// Hosts as limits, rules and shards know them, however a URL spells them.
enum HostName {
    /// In lower case, without the dot that may end it, and an address in its usual form (`127.1` and
    /// `0x7f.0.0.1` are `127.0.0.1`); an IPv6 address is without its brackets.
    static func canonical(_ host: Substring.UTF8View) -> String {
        let name = withoutFinalDot(Substring(host).utf8)
        // Nearly all are in lower case already, and cost nothing more.
        let isLower = name.allSatisfy { $0 < 0x80 && !(0x41...0x5A).contains($0) }
        let text = isLower ? String(Substring(name)) : Substring(name).lowercased()
        return address(text) ?? text
    }

    private static let dot = UInt8(ascii: ".")

    private static func withoutFinalDot(_ name: Substring.UTF8View) -> Substring.UTF8View {
        name.count > 1 && name.last == dot ? name.dropLast() : name
    }

    /// The usual form of an address, as libcurl reads it; `nil` for a name.
    private static func address(_ host: String) -> String? {
        let isIPv6 = host.utf8.contains(UInt8(ascii: ":"))
        guard isIPv6 || endsInNumber(host) else { return nil }
        do throws(CurlURL.Failure) {
            let url = try CurlURL(parsing: isIPv6 ? "http://[\(host)]/" : "http://\(host)/")
            // What a zone says is no part of libcurl's host.
            guard !url.hasZone else { return nil }
            return isIPv6 ? String(url.host.dropFirst().dropLast()) : url.host
        } catch {
            return nil
        }
    }

    /// Whether its last label begins with a digit, as that of no top-level domain does.
    private static func endsInNumber(_ host: String) -> Bool {
        let label = host.utf8.lastIndex(of: dot).map { host.utf8[$0...].dropFirst() }
        return (label ?? host.utf8[...]).first.map { (0x30...0x39).contains($0) } ?? false
    }
}
