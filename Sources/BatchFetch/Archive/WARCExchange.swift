import CurlTransport
import HTTPTypes

/// The heads of a request and its response as a WARC file has them.
enum WARCExchange {
    /// A response's head in the form of HTTP/1.1.
    ///
    /// The body is kept without the chunks that it may have come in, so what says that there are
    /// some gets another name, as other archives have it.
    static func responseHead(_ head: ResponseHead) -> [UInt8] {
        let name = Array("transfer-encoding:".utf8)
        var bytes: [UInt8] = []
        for line in head.bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let isEncoding =
                line.count > name.count
                && zip(line, name).allSatisfy { $0 == $1 || ($0 | 0x20 == $1 && $1 >= 0x61) }
            if isEncoding { bytes += Array("X-Archive-Orig-".utf8) }
            bytes += line
            bytes.append(0x0A)
        }
        // Behind the last line end nothing was.
        if !bytes.isEmpty { bytes.removeLast() }
        return bytes
    }

    /// A request's head as it was asked for; what libcurl adds by itself is as it does.
    static func requestHead(_ request: HTTPRequest) -> [UInt8] {
        var lines = ["\(request.method.rawValue) \(request.path ?? "/") HTTP/1.1"]
        lines.append("Host: \(request.authority ?? "")")
        if !request.headerFields.contains(.userAgent) {
            lines.append("User-Agent: \(TransferOptions.defaultUserAgent)")
        }
        if !request.headerFields.contains(.accept) { lines.append("Accept: */*") }
        for field in request.headerFields {
            // What proves who asks has no place in an archive that others read.
            let isSecret = field.name == .authorization || field.name == .cookie
            lines.append("\(field.name): \(isSecret ? "<redacted>" : field.value)")
        }
        return Array((lines + ["", ""]).joined(separator: "\r\n").utf8)
    }

    /// What `WARC-Protocol` says of a version.
    static func protocolName(_ version: String) -> String {
        switch version {
        case "2": "h2"
        case "3": "h3"
        default: "http/\(version)"
        }
    }
}
