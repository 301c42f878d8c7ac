internal import HTTPSemantics
public import HTTPTypes

extension ResponseHead {
    /// Creates a head from a status and fields, for responses of stubs and middleware.
    ///
    /// - Parameters:
    ///   - status: codes below 100 count as 100.
    ///   - headerFields: at most 65,000 are kept. Bytes of values that aren't UTF-8 are replaced.
    ///   - httpVersion: the version in the status line: `1.0`, `1.1`, `2` or `3`. Anything else
    ///     counts as `1.1`.
    public init(
        status: HTTPResponse.Status,
        headerFields: HTTPFields = HTTPFields(),
        httpVersion: String = "1.1"
    ) {
        let code = max(100, status.code)
        let version = ["1.0", "1.1", "2", "3"].contains(httpVersion) ? httpVersion : "1.1"
        var bytes = Array("HTTP/\(version) \(code) ".utf8)
        // A reason phrase is in ISO Latin 1.
        bytes += status.reasonPhrase.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        bytes.append(contentsOf: Self.lineEnd)
        var framing = ResponseFraming()
        for field in headerFields.prefix(Self.fieldCountLimit) {
            var line = Array("\(field.name.rawName): \(field.value)".utf8)
            line.append(contentsOf: Self.lineEnd)
            framing.add(line.span, nameLength: field.name.rawName.utf8.count)
            bytes.append(contentsOf: line)
        }
        bytes.append(contentsOf: Self.lineEnd)
        self.init(bytes: bytes, statusCode: code, framing: framing)
    }

    private static let lineEnd = [ASCII.carriageReturn, ASCII.lineFeed]
}
