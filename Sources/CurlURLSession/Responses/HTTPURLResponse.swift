package import CurlTransport
public import Foundation
package import HTTPSemantics

// `@unchecked Sendable`: it adds one stored property to ``URLResponse``, which is constant, and of
// a type that the compiler proves to be `Sendable`.
/// The head of an HTTP response.
open class HTTPURLResponse: URLResponse, @unchecked Sendable {
    private let content: Content

    private struct Content: Sendable {
        let statusCode: Int
        let httpVersion: String?
        let fields: ResponseHeaderFields
    }

    /// The status code.
    public var statusCode: Int { content.statusCode }
    /// The version of HTTP, such as `HTTP/1.1`.
    var httpVersion: String? { content.httpVersion ?? fields.httpVersion }
    /// The fields as received.
    var fields: ResponseHeaderFields { content.fields }

    /// Creates a response.
    ///
    /// Media type, charset, length and file name are derived from the header fields.
    ///
    /// - Parameters:
    ///   - url: The URL of the response.
    ///   - statusCode: The status code. It isn't validated.
    ///   - httpVersion: The version of HTTP, such as `HTTP/1.1`.
    ///   - headerFields: The header fields. A field with an empty name is left out.
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

    /// Creates a response as a server sent it; fields may be repeated.
    ///
    /// - Parameter httpVersion: `nil` if the fields contain it, or if it is unknown.
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

    /// Decodes a response; `nil` without keyed coding, a URL or a status.
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

    /// Encodes the response. Does nothing if the coder doesn't support keyed coding.
    open override func encode(with aCoder: NSCoder) {
        guard aCoder.allowsKeyedCoding else { return }
        super.encode(with: aCoder)
        aCoder.encode(statusCode, forKey: Key.statusCode)
        aCoder.encode(httpVersion, key: Key.httpVersion)
        aCoder.encode(fields.lines, key: Key.headerFields)
    }

    /// The header fields: a dictionary from `String` names to `String` values.
    ///
    /// The words of names are capitalised (`Content-Type`), except in `WWW-Authenticate` and in
    /// names that begin with `X-`, which keep their spelling. The values of a repeated field are
    /// joined by `, `, also those of `Set-Cookie`.
    public var allHeaderFields: [AnyHashable: Any] { fields.dictionary }

    /// The value of a header field; `nil` if there is none. `field` is case-insensitive.
    ///
    /// The values of a repeated field are joined by `, `.
    public func value(forHTTPHeaderField field: String) -> String? {
        fields[field]
    }

    /// The media type of `Content-Type` in lower case, without parameters.
    open override var mimeType: String? { fields.mimeType }

    /// The charset of `Content-Type` in lower case.
    open override var textEncodingName: String? { fields.textEncodingName }

    /// The expected length of the body in bytes, from `Content-Length`.
    ///
    /// It is -1 if the field is missing or not a number, or if the body is delivered decoded, for
    /// example decompressed.
    open override var expectedContentLength: Int64 { fields.expectedContentLength }

    /// A name for a file with the body.
    ///
    /// It is taken from `Content-Disposition` (RFC 6266), or else determined as for any
    /// ``URLResponse``.
    open override var suggestedFilename: String? {
        SuggestedFilename.make(
            disposition: fields["Content-Disposition"],
            url: url,
            mimeType: mimeType
        )
    }

    /// The English name of a status code: `Not Found` for 404.
    ///
    /// A code without a name has the name of its class.
    open class func localizedString(forStatusCode statusCode: Int) -> String {
        StatusPhrase.phrase(for: statusCode)
    }

    /// Whether `value` has the same class, URL, status and header fields.
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

extension HTTPURLResponse {
    /// Creates the response to a request for `url` from a received head.
    package convenience init(url: URL, head: ResponseHead) {
        self.init(url: url, statusCode: head.statusCode, fields: ResponseHeaderFields(head))
    }
}

extension HTTPURLResponse {
    /// The validator with which the rest of the body can be requested later, for a response that
    /// arrived just now; `nil` if it can't be.
    package var resumeValidator: StrongValidator? {
        RangeRequest.validator(
            receivedAt: Int64(Date().timeIntervalSince1970),
            values: fields.values
        )
    }
}

/// The English names of the HTTP status codes.
enum StatusPhrase {
    /// Returns the name of a code. If it has none, returns that of its class.
    ///
    /// A code outside of all classes is treated as a server error (RFC 9110, 15).
    static func phrase(for code: Int) -> String {
        if let phrase = registered[code] { return phrase }
        switch code {
        case 100...199: return "Informational"
        case 200...299: return "Success"
        case 300...399: return "Redirection"
        case 400...499: return "Client Error"
        default: return "Server Error"
        }
    }

    /// IANA's registry of status codes, with Foundation's names for 413 and 422.
    private static let registered: [Int: String] = [
        100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints",
        200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information",
        204: "No Content", 205: "Reset Content", 206: "Partial Content", 207: "Multi-Status",
        208: "Already Reported", 226: "IM Used",
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other",
        304: "Not Modified", 305: "Use Proxy", 307: "Temporary Redirect",
        308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden",
        404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
        407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict",
        410: "Gone", 411: "Length Required", 412: "Precondition Failed",
        413: "Payload Too Large", 414: "URI Too Long", 415: "Unsupported Media Type",
        416: "Range Not Satisfiable", 417: "Expectation Failed", 421: "Misdirected Request",
        422: "Unprocessable Entity", 423: "Locked", 424: "Failed Dependency", 425: "Too Early",
        426: "Upgrade Required", 428: "Precondition Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
        503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
        506: "Variant Also Negotiates", 507: "Insufficient Storage", 508: "Loop Detected",
        510: "Not Extended", 511: "Network Authentication Required",
    ]
}
