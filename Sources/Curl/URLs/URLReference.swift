/// A URL or relative reference, split into its five parts as bytes, without validation.
///
/// Source: RFC 3986, section 5.2 and appendix B.
struct URLReference {
    var scheme: [UInt8]?
    var authority: [UInt8]?
    var path: [UInt8]
    var query: [UInt8]?
    var fragment: [UInt8]?

    init(splitting bytes: [UInt8]) {
        var rest = bytes[...]
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = Array(rest[(hash + 1)...])
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = Array(rest[(mark + 1)...])
            rest = rest[..<mark]
        }
        if let colon = rest.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
            scheme = Array(rest[..<colon])
            rest = rest[(colon + 1)...]
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = Array(rest[..<end])
            rest = rest[end...]
        }
        path = Array(rest)
    }

    /// Fails without an authority: libcurl would guess which part is the host.
    func requireHost() throws(CurlURL.Failure) {
        guard authority?.isEmpty ?? true else { return }
        let name = String(decoding: scheme ?? [], as: UTF8.self).lowercased()
        throw CurlURL.Failure(name == "http" || name == "https" ? .noHost : .unsupportedScheme)
    }

    /// Resolves a relative path against a base path, and inherits missing parts.
    mutating func inheritPath(of basePath: String, query baseQuery: String?) {
        guard !path.isEmpty else {
            path = Array(basePath.utf8)
            query = query ?? baseQuery.map { Array($0.utf8) }
            return
        }
        guard path.first != UInt8(ascii: "/") else { return }
        let base = Array(basePath.utf8)
        let folderEnd = base.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        path = base[..<folderEnd] + path
    }

    /// The reference as text.
    ///
    /// Scheme and authority are unchanged. In other parts, spaces, control bytes and non-ASCII
    /// bytes are percent-encoded.
    var encoded: String {
        var bytes: [UInt8] = []
        if let scheme { bytes += scheme + ":".utf8 }
        if let authority { bytes += "//".utf8 + authority }
        Self.append(path, to: &bytes)
        if let query {
            bytes.append(UInt8(ascii: "?"))
            Self.append(query, to: &bytes)
        }
        if let fragment {
            bytes.append(UInt8(ascii: "#"))
            Self.append(fragment, to: &bytes)
        }
        // libcurl would take a NUL in the authority for the end of the text.
        if bytes.contains(0) { bytes = bytes.map { $0 == 0 ? UInt8(ascii: " ") : $0 } }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ part: [UInt8], to bytes: inout [UInt8]) {
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in part {
            if byte > 0x20, byte < 0x7f {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
    }

    private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, first.isASCIILetter else { return false }
        return bytes.allSatisfy {
            $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "+")
                || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        }
    }
}

extension UInt8 {
    var isASCIILetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }

    var isASCIIDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}
