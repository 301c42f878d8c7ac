internal import Curl
internal import HTTPSemantics
internal import Posix

/// Converts libcurl's log to log lines, and redacts secrets.
enum TransferLog {
    /// Fields of responses that contain challenges and their results.
    private static let challengeFields: Set<String> = [
        "www-authenticate", "proxy-authenticate", "authentication-info",
        "proxy-authentication-info",
    ]

    private static func isSecret(_ name: some StringProtocol) -> Bool {
        SensitiveFields.contain(String(name)) || challengeFields.contains(name.lowercased())
    }

    /// The lines of one call of libcurl's debug callback; empty for bodies and TLS records.
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
        // A bare CR is no line end: what follows it belongs to the same field.
        return text.split(whereSeparator: { $0 == "\r\n" || $0 == "\n" }).map { line in
            TransferLogLine(kind: lineKind, text: redacted(String(line), kind: lineKind))
        }
    }

    private static func redacted(_ line: String, kind: TransferLogLine.Kind) -> String {
        guard kind != .remark else { return remark(line) }
        // It may continue a field with a secret.
        if line.first == " " || line.first == "\t" { return "<redacted: a folded line>" }
        guard let colon = line.firstIndex(of: ":") else {
            let isMalformed = kind == .received && !line.hasPrefix("HTTP/")
            return isMalformed ? "<redacted: no header field>" : withoutQuery(line)
        }
        let name = line[..<colon]
        if isSecret(String(name).trimmingFieldWhitespace) { return "\(name): <redacted>" }
        return name.lowercased() == "location" ? Redaction.text(line) : withoutQuery(line)
    }

    /// Redacts a line of libcurl's own text.
    private static func remark(_ line: String) -> String {
        // For example "Server auth using Basic with user 'name'".
        if let user = line.range(ofText: " with user ") {
            return "\(line[..<user.lowerBound]) with user <redacted>"
        }
        // "h2h3 [name: value]", "[HTTP/2] [1] [name: value]": a field of a request over HTTP/2.
        var rest = line[...]
        while let bracket = rest.firstIndex(of: "[") {
            rest = rest[bracket...].dropFirst()
            let name = rest.prefix { $0 != ":" }
            guard name.endIndex < rest.endIndex, !name.contains("[") else { continue }
            if isSecret(name) {
                return "\(line[...bracket])\(name): <redacted>]"
            }
        }
        return Redaction.text(line)
    }

    /// Removes the query from a request line. Other lines stay unchanged.
    private static func withoutQuery(_ line: String) -> String {
        let parts = line.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].hasPrefix("HTTP/"), let mark = parts[1].firstIndex(of: "?")
        else { return line }
        return "\(parts[0]) \(parts[1][..<mark])?<redacted> \(parts[2])"
    }
}

extension String {
    /// The first range of `text`, without Foundation.
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

/// A line of libcurl's log of a transfer.
public struct TransferLogLine: Sendable, Hashable {
    /// The kind of the line.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Kind: Sendable, Hashable {
        /// libcurl's own text.
        case remark
        /// A line of the request's head.
        case sent
        /// A line of a response's head.
        case received
        /// The client dropped lines here, because ``ClientHooks/log`` was too slow.
        case dropped
    }

    /// The kind of the line.
    public let kind: Kind

    /// The line, without its line end. Secret values are replaced by `<redacted>`.
    public let text: String
}
