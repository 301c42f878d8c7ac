internal import Curl

/// Turns libcurl's words into log lines, and keeps secrets out of them.
enum TransferLog {
    /// Fields whose values are nobody else's business.
    private static let secretFields: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "cookie2", "set-cookie2",
        "x-amz-security-token", "www-authenticate", "proxy-authenticate", "authentication-info",
        "proxy-authentication-info",
    ]

    /// The lines of one call of libcurl's debug callback; none for bodies and TLS records.
    static func lines(_ kind: EasyLogKind, _ bytes: Span<UInt8>) -> [TransferLogLine] {
        let lineKind: TransferLogLine.Kind
        switch kind {
        case .text: lineKind = .remark
        case .headerReceived: lineKind = .received
        case .headerSent: lineKind = .sent
        case .bodyReceived, .bodySent, .tlsReceived, .tlsSent: return []
        }
        var array: [UInt8] = []
        array.append(copying: bytes)
        let text = String(decoding: array, as: UTF8.self)
        return text.split(whereSeparator: \.isNewline).map { line in
            TransferLogLine(kind: lineKind, text: redacted(String(line), kind: lineKind))
        }
    }

    private static func redacted(_ line: String, kind: TransferLogLine.Kind) -> String {
        guard kind != .remark else { return remark(line) }
        guard let colon = line.firstIndex(of: ":") else { return withoutQuery(line) }
        let name = line[..<colon].lowercased()
        if secretFields.contains(name) { return "\(line[..<colon]): <redacted>" }
        return name == "location" ? Redaction.text(line) : withoutQuery(line)
    }

    /// What libcurl says in its own words.
    private static func remark(_ line: String) -> String {
        // "Server auth using Basic with user 'name'" and its like.
        if let user = line.range(ofText: " with user ") {
            return "\(line[..<user.lowerBound]) with user <redacted>"
        }
        // "h2h3 [name: value]", "[HTTP/2] [1] [name: value]": a field of a request over HTTP/2.
        var rest = line[...]
        while let bracket = rest.firstIndex(of: "[") {
            rest = rest[bracket...].dropFirst()
            let name = rest.prefix { $0 != ":" }
            if secretFields.contains(name.lowercased()) {
                return "\(line[...bracket])\(name): <redacted>]"
            }
        }
        return Redaction.text(line)
    }

    /// A request line loses its query; other lines stay as they are.
    private static func withoutQuery(_ line: String) -> String {
        let parts = line.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].hasPrefix("HTTP/"), let mark = parts[1].firstIndex(of: "?")
        else { return line }
        return "\(parts[0]) \(parts[1][..<mark])?<redacted> \(parts[2])"
    }
}

extension String {
    /// Where `text` first stands, without Foundation.
    fileprivate func range(ofText text: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) {
                return start..<index(start, offsetBy: text.count)
            }
            start = index(after: start)
        }
        return nil
    }
}
