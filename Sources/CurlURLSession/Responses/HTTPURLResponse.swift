public import Foundation

/// The head of an HTTP response.
///
/// `@unchecked Sendable`: what it adds to ``URLResponse`` is one stored property, which is constant,
/// and of a type that the compiler proves to be `Sendable`.
open class HTTPURLResponse: URLResponse, @unchecked Sendable {
    private let content: Content

    private struct Content: Sendable {
        let statusCode: Int
        let httpVersion: String?
        let fields: ResponseHeaderFields
    }

    /// The status code.
    public var statusCode: Int { content.statusCode }
    /// The version of HTTP as it was given, such as `HTTP/1.1`.
    var httpVersion: String? { content.httpVersion ?? fields.httpVersion }
    /// The fields as they came.
    var fields: ResponseHeaderFields { content.fields }

    /// Creates a response.
    ///
    /// Type, charset, length and file name are taken from the header fields.
    ///
    /// - Parameters:
    ///   - url: Where it came from.
    ///   - statusCode: The status code. It isn't checked.
    ///   - httpVersion: The version of HTTP, such as `HTTP/1.1`.
    ///   - headerFields: The header fields. One with an empty name is left out.
    /// - Returns: Never `nil`.
    public init?(
        url: URL,
        statusCode: Int,
        httpVersion: String?,
        headerFields: [String: String]?
    ) {
        content = Content(
            statusCode: statusCode,
            httpVersion: httpVersion,
            fields: ResponseHeaderFields(headerFields ?? [:])
        )
        super.init(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
    }

    /// A response as a server sent it, where a field may be repeated.
    ///
    /// - Parameter httpVersion: `nil` where the fields know it, or nobody does.
    init(
        url: URL,
        statusCode: Int,
        httpVersion: String? = nil,
        fields: ResponseHeaderFields
    ) {
        content = Content(statusCode: statusCode, httpVersion: httpVersion, fields: fields)
        super.init(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
    }

    private enum Key {
        static let statusCode = "statusCode"
        static let httpVersion = "httpVersion"
        static let headerFields = "headerFields"
    }

    /// Reads a response from an archive; `nil` if the coder has no keys, or URL or status are missing.
    public required init?(coder aDecoder: NSCoder) {
        guard aDecoder.allowsKeyedCoding, aDecoder.containsValue(forKey: Key.statusCode) else {
            return nil
        }
        content = Content(
            statusCode: aDecoder.decodeInteger(forKey: Key.statusCode),
            httpVersion: aDecoder.decodeString(Key.httpVersion),
            fields: ResponseHeaderFields(aDecoder.decodeHeaderLines(Key.headerFields) ?? [])
        )
        super.init(coder: aDecoder)
    }

    /// Writes the response. A coder without keys gets nothing.
    open override func encode(with aCoder: NSCoder) {
        guard aCoder.allowsKeyedCoding else { return }
        super.encode(with: aCoder)
        aCoder.encode(statusCode, forKey: Key.statusCode)
        aCoder.encode(httpVersion, key: Key.httpVersion)
        aCoder.encode(fields.lines, key: Key.headerFields)
    }

    /// The header fields: `String` values by `String` names.
    ///
    /// The words of names are capitalized (`Content-Type`), but for `WWW-Authenticate` and for names
    /// that begin with `X-`, which stay as they came. The values of a repeated field are joined by
    /// `, `, those of `Set-Cookie` too.
    public var allHeaderFields: [AnyHashable: Any] { fields.dictionary }

    /// The value of a header field; `nil` if there is none. The case of letters in `field` doesn't
    /// matter. The values of a repeated field are joined by `, `.
    public func value(forHTTPHeaderField field: String) -> String? {
        fields[field]
    }

    /// The media type of `Content-Type` in small letters, without parameters.
    open override var mimeType: String? { fields.mimeType }

    /// The charset of `Content-Type` in small letters.
    open override var textEncodingName: String? { fields.textEncodingName }

    /// How many bytes the body will have: `Content-Length`.
    ///
    /// It is -1 where that is missing or no number, and where the body comes in another coding than
    /// it is handed out in, as compressed ones do.
    open override var expectedContentLength: Int64 { fields.expectedContentLength }

    /// A name for a file that holds the body: the one that `Content-Disposition` gives (RFC 6266),
    /// else as in any ``URLResponse``.
    open override var suggestedFilename: String? {
        SuggestedFilename.make(
            disposition: fields["Content-Disposition"],
            url: url,
            mimeType: mimeType
        )
    }

    /// The name of a status code, in English: `Not Found` for 404. A code without a name has that of
    /// its class.
    open class func localizedString(forStatusCode statusCode: Int) -> String {
        StatusPhrase.phrase(for: statusCode)
    }

    /// Whether `value` is of the same class and has the same URL, status and header fields.
    open override func isEqual(_ value: Any?) -> Bool {
        guard let other = value as? HTTPURLResponse, type(of: other) == type(of: self) else {
            return false
        }
        return other === self
            || (other.statusCode == statusCode && other.url == url
                && other.fields.dictionary == fields.dictionary)
    }

    /// Equal for equal responses.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(url)
        hasher.combine(statusCode)
        return hasher.finalize()
    }

    /// The class, the address, the URL, the status and the header fields.
    open override var description: String {
        let lines = fields.dictionary.sorted { $0.key < $1.key }.map {
            "    \($0.key): \($0.value)\n"
        }
        return "\(super.description) { URL: \(url?.absoluteString ?? "(null)") } "
            + "{ status: \(statusCode), headers {\n\(lines.joined())} }"
    }
}
