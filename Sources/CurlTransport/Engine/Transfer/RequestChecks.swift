internal import HTTPTypes

/// Checks a request, except its authority, before anything is sent.
///
/// `HTTPField` itself rejects line ends and NUL in names and values. The pseudo header fields of an
/// `HTTPRequest` are plain strings that would be sent unchanged.
enum RequestChecks {
    static func check(_ request: HTTPRequest, body: PlannedBody) throws(TransportError) {
        let path = request.path ?? "/"
        guard path.first == "/" || (path == "*" && request.method == .options) else {
            throw .invalidRequest("the path has to begin with a slash", url: nil)
        }
        if let index = path.utf8.firstIndex(where: { $0 <= 0x20 || $0 == 0x7F }) {
            let position = path.utf8.distance(from: path.startIndex, to: index)
            throw .invalidRequest(
                "the path holds a space or control character at byte \(position); "
                    + "it has to be percent-encoded",
                url: nil
            )
        }
        guard request.method != .connect else {
            throw .invalidRequest("CONNECT requests can't be sent; set a proxy in the options")
        }
        try checkTransferEncoding(of: request.headerFields)
        if body.isPresent, request.method == .head || request.method == .trace {
            throw .invalidRequest("a \(request.method) request can't have a body")
        }
    }

    /// libcurl frames the content and supports no coding except `chunked`.
    private static func checkTransferEncoding(of fields: HTTPFields) throws(TransportError) {
        guard let coding = fields[.transferEncoding], coding.lowercased() != "chunked" else {
            return
        }
        throw .invalidRequest(
            "Transfer-Encoding is \"\(coding)\"; only chunked can be sent, which is chosen where the "
                + "content's length isn't known"
        )
    }

    /// Checks that a length in the fields is the body's length.
    static func check(
        length: Int64?,
        against fields: HTTPFields,
        hasBody: Bool
    ) throws(TransportError) {
        guard let text = fields[.contentLength] else { return }
        guard let announced = Int64(text), announced >= 0 else {
            throw .invalidRequest("Content-Length is \"\(text)\", which isn't a length")
        }
        guard hasBody || announced == 0 else {
            throw .invalidRequest("Content-Length is \(announced), but there is no body")
        }
        if let length, length != announced {
            throw .invalidRequest(
                "Content-Length is \(announced), but the body has \(length) bytes"
            )
        }
    }
}
