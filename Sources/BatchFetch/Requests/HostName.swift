internal import CurlTransport
internal import HTTPSemantics

/// The canonical host names that limits, rules and shards use.
enum HostName {
    /// Returns a host in lower case and without a final dot.
    ///
    /// An address gets its canonical form (`127.1` and `0x7f.0.0.1` become `127.0.0.1`). An IPv6
    /// address has no brackets, neither in `host` nor in the result. A name with letters beyond
    /// ASCII gets the form in which it is looked up, if libcurl can convert it.
    static func canonical(_ host: Substring.UTF8View) -> String {
        let name = withoutFinalDot(Substring(host).utf8)
        // Most hosts are in lower case already and skip the conversion.
        let isLower = name.allSatisfy { $0 < 0x80 && !(0x41...0x5A).contains($0) }
        let text = isLower ? String(Substring(name)) : inASCII(Substring(name).lowercased())
        return address(text) ?? text
    }

    /// Returns the host of a key, which is a host, a colon and a port.
    static func host(ofKey key: String) -> String {
        key.utf8.lastIndex(of: UInt8(ascii: ":")).map { String(key[..<$0]) } ?? key
    }

    /// The name in the form in which it is looked up, if libcurl can convert it.
    private static func inASCII(_ name: String) -> String {
        if name.utf8.allSatisfy({ $0 < 0x80 }) { return name }
        return URLParsing.asciiName(name) ?? name
    }

    private static let dot = UInt8(ascii: ".")

    private static func withoutFinalDot(_ name: Substring.UTF8View) -> Substring.UTF8View {
        name.count > 1 && name.last == dot ? name.dropLast() : name
    }

    /// Returns an address in the canonical form of libcurl. Returns `nil` for a name.
    private static func address(_ host: String) -> String? {
        let isIPv6 = host.utf8.contains(UInt8(ascii: ":"))
        guard isIPv6 || endsInNumber(host) else { return nil }
        return URLParsing.canonicalAddress(host, isIPv6: isIPv6)
    }

    /// Whether the last label begins with a digit. No top-level domain does.
    private static func endsInNumber(_ host: String) -> Bool {
        let label = host.utf8.lastIndex(of: dot).map { host.utf8[$0...].dropFirst() }
        return (label ?? host.utf8[...]).first.map(\.isASCIIDigit) ?? false
    }
}
