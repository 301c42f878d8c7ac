import CurlTransport
internal import FoundationEssentials
internal import HTTPSemantics
import HTTPTypes

/// The head of a record of a WARC file (ISO 28500:2017, version 1.1).
struct WARCRecord: Sendable {
    /// The unique id of the record, in angle brackets.
    let id: String
    private var lines: [String]

    init(type: String, date: String) {
        id = "<urn:uuid:\(UUID().uuidString.lowercased())>"
        lines = [
            "WARC/1.1", "WARC-Type: \(type)", "WARC-Record-ID: \(id)", "WARC-Date: \(date)",
        ]
    }

    /// Adds a field. Removes characters below U+0020, because a line end would start another field.
    mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        let isPlain = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        lines.append("\(name): \(isPlain ? value : value.filter { $0 >= " " })")
    }

    /// Returns the head for a block of `blockLength` bytes.
    func bytes(blockLength: Int64) -> [UInt8] {
        Array(
            (lines + ["Content-Length: \(blockLength)", "", ""]).joined(separator: "\r\n").utf8
        )
    }

    /// The bytes after the block.
    static let end: [UInt8] = Array("\r\n\r\n".utf8)
}

/// Formats the heads of requests and responses for WARC files.
enum WARCExchange {
    /// Returns a response head in HTTP/1.1 form.
    ///
    /// The body is stored without chunked coding, so `Transfer-Encoding` is renamed to
    /// `X-Archive-Orig-Transfer-Encoding`, as other archives do. Cookies stay, because the server
    /// gives them to anyone. If the request has credentials, they belong to one user and are
    /// redacted.
    static func responseHead(_ head: ResponseHead, answering request: HTTPRequest) -> [UInt8] {
        let hidesCookies = request.headerFields.contains {
            SensitiveFields.contain($0.name.canonicalName)
        }
        var bytes: [UInt8] = []
        var isRedacted = false
        for line in head.bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            // A folded line continues the field of the line before it (RFC 9112, 5.2).
            if isRedacted, line.first == ASCII.space || line.first == ASCII.tab { continue }
            isRedacted = false
            if hidesCookies, let name = name(of: line, oneOf: ["set-cookie:", "set-cookie2:"]) {
                bytes += line.prefix(name) + Array(" <redacted>\r\n".utf8)
                isRedacted = true
                continue
            }
            if name(of: line, oneOf: ["transfer-encoding:"]) != nil {
                bytes += Array("X-Archive-Orig-".utf8)
            }
            bytes += line
            bytes.append(0x0A)
        }
        // The loop adds one LF too many after the last line.
        if !bytes.isEmpty { bytes.removeLast() }
        return bytes
    }

    /// Returns the length of the line's field name, with its colon. Returns `nil` unless the name
    /// is one of `names`.
    private static func name(of line: ArraySlice<UInt8>, oneOf names: [String]) -> Int? {
        names.first { name in
            line.count >= name.utf8.count
                && zip(line, name.utf8).allSatisfy { $0 == $1 || ($0 | 0x20 == $1 && $1 >= 0x61) }
        }?.utf8.count
    }

    /// Returns the request head, with the fields that libcurl adds by itself.
    ///
    /// - Parameter omitted: The fields that it doesn't add.
    static func requestHead(
        _ request: HTTPRequest,
        omitting omitted: Set<HTTPField.Name> = []
    ) -> [UInt8] {
        var lines = ["\(request.method.rawValue) \(request.path ?? "/") HTTP/1.1"]
        let fields = request.headerFields
        if let host = HTTPField.Name("Host"), !fields.contains(host) {
            lines.append("Host: \(request.authority ?? "")")
        }
        if !fields.contains(.userAgent), !omitted.contains(.userAgent) {
            lines.append("User-Agent: \(TransferOptions.defaultUserAgent)")
        }
        if !fields.contains(.accept), !omitted.contains(.accept) { lines.append("Accept: */*") }
        for field in request.headerFields {
            // Credentials must not appear in an archive that others read.
            let isSecret = SensitiveFields.contain(field.name.canonicalName)
            lines.append("\(field.name): \(isSecret ? "<redacted>" : field.value)")
        }
        return Array((lines + ["", ""]).joined(separator: "\r\n").utf8)
    }

    /// Returns the address of a peer such as `127.0.0.1:80` or `[::1]:80`.
    static func address(ofPeer peer: String?) -> String? {
        guard let peer, let colon = peer.lastIndex(of: ":") else { return nil }
        let address = peer[..<colon]
        let isBracketed = address.hasPrefix("[") && address.hasSuffix("]")
        let bare = isBracketed ? address.dropFirst().dropLast() : address
        return bare.isEmpty ? nil : String(bare)
    }

    /// Returns the value of `WARC-Protocol` for an HTTP version.
    static func protocolName(_ version: String) -> String {
        switch version {
        case "2": "h2"
        case "3": "h3"
        default: "http/\(version)"
        }
    }
}
