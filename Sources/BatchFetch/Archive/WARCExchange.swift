import CurlTransport
import HTTPTypes

/// The heads of a request and its response as a WARC file has them.
enum WARCExchange {
    /// A response's head in the form of HTTP/1.1.
    ///
    /// The body is kept without the chunks that it may have come in, so what says that there are
    /// some gets another name, as other archives have it. Cookies stay, for they are given to anybody
    /// who asks; but where the request has proved who asks, they are that one's alone.
    static func responseHead(_ head: ResponseHead, answering request: HTTPRequest) -> [UInt8] {
        let hidesCookies = request.headerFields.contains { SecretFields.contain($0.name) }
        var bytes: [UInt8] = []
        for line in head.bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if hidesCookies, let name = name(of: line, oneOf: ["set-cookie:", "set-cookie2:"]) {
                bytes += line.prefix(name) + Array(" <redacted>\r\n".utf8)
                continue
            }
            if name(of: line, oneOf: ["transfer-encoding:"]) != nil {
                bytes += Array("X-Archive-Orig-".utf8)
            }
            bytes += line
            bytes.append(0x0A)
        }
        // Behind the last line end nothing was.
        if !bytes.isEmpty { bytes.removeLast() }
        return bytes
    }

    /// How many bytes the name of a line's field has, with its colon, if it is one of these.
    private static func name(of line: ArraySlice<UInt8>, oneOf names: [String]) -> Int? {
        names.first { name in
            line.count >= name.utf8.count
                && zip(line, name.utf8).allSatisfy { $0 == $1 || ($0 | 0x20 == $1 && $1 >= 0x61) }
        }?.utf8.count
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
            let isSecret = SecretFields.contain(field.name)
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
