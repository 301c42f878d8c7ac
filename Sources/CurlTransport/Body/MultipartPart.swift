internal import HTTPSemantics
public import HTTPTypes

/// A part of a multipart form (RFC 7578).
///
/// In names and file names, `"` is written as `%22`, and line ends as `%0D` and `%0A`, as browsers
/// do.
public struct MultipartPart: Sendable {
    /// The name of the form's field.
    public var name: String

    /// The file name for the server; nil, the default, for a part that isn't a file.
    public var fileName: String?

    /// The media type. Default: that of the body, and none if it has none.
    public var contentType: String?

    /// Further header fields of the part. Default: none.
    public var headerFields = HTTPFields()

    /// The content: bytes, a file or a stream.
    public var body: RequestBody

    /// Creates a part.
    public init(
        _ name: String,
        fileName: String? = nil,
        contentType: String? = nil,
        body: RequestBody
    ) {
        self.name = name
        self.fileName = fileName
        self.contentType = contentType ?? body.contentType
        self.body = body
    }

    /// A field with a text, sent as UTF-8.
    public static func field(_ name: String, _ value: String) -> MultipartPart {
        MultipartPart(name, body: .text(value))
    }

    /// A regular file.
    ///
    /// - Parameters:
    ///   - name: the name of the form's field.
    ///   - path: the path of the file.
    ///   - fileName: the name for the server; by default the last component of `path`.
    ///   - contentType: the media type.
    public static func file(
        _ name: String,
        path: String,
        fileName: String? = nil,
        contentType: String = "application/octet-stream"
    ) -> MultipartPart {
        MultipartPart(
            name,
            fileName: fileName ?? path.split(separator: "/").last.map(String.init) ?? path,
            contentType: contentType,
            body: .file(path: path)
        )
    }

    /// Bytes that the server takes for a file.
    public static func file(
        _ name: String,
        bytes: [UInt8],
        fileName: String,
        contentType: String = "application/octet-stream"
    ) -> MultipartPart {
        MultipartPart(name, fileName: fileName, contentType: contentType, body: .bytes(bytes))
    }

    /// The header lines and the empty line after them.
    var head: [UInt8] {
        let disposition = MultipartSyntax.disposition(name: name, fileName: fileName)
        var lines = "Content-Disposition: \(disposition)\r\n"
        if let contentType {
            lines += "Content-Type: \(MultipartSyntax.contentType(contentType))\r\n"
        }
        for field in headerFields { lines += "\(field.name.rawName): \(field.value)\r\n" }
        return Array("\(lines)\r\n".utf8)
    }
}
