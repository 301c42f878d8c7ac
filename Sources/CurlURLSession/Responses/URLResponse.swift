public import Foundation

// `@unchecked Sendable`: its one stored property is constant, and of a type that the compiler
// proves to be `Sendable`. The compiler accepts no checked conformance for a class that is open to
// subclassing; a subclass is responsible for its own stored properties.
/// The metadata of a response: URL, media type and expected length.
///
/// It is known before the body, and immutable.
open class URLResponse: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let content: Content

    private struct Content: Sendable {
        let url: URL
        let mimeType: String?
        let contentLength: Int64
        let textEncodingName: String?
    }

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - url: The URL of the response.
    ///   - mimeType: The media type, without parameters.
    ///   - length: The expected length of the body in bytes; -1 if unknown.
    ///   - name: The charset of the text, by its IANA name.
    public init(
        url: URL,
        mimeType: String?,
        expectedContentLength length: Int,
        textEncodingName name: String?
    ) {
        content = Content(
            url: url,
            mimeType: mimeType,
            contentLength: Int64(length),
            textEncodingName: name
        )
    }

    private enum Key {
        static let url = "url"
        static let mimeType = "mimeType"
        static let expectedContentLength = "expectedContentLength"
        static let textEncodingName = "textEncodingName"
    }

    /// Decodes a response; `nil` without keyed coding or a URL.
    public required init?(coder aDecoder: NSCoder) {
        guard aDecoder.allowsKeyedCoding, let url = aDecoder.decodeURL(Key.url) else { return nil }
        let hasLength = aDecoder.containsValue(forKey: Key.expectedContentLength)
        content = Content(
            url: url,
            mimeType: aDecoder.decodeString(Key.mimeType),
            contentLength: hasLength ? aDecoder.decodeInt64(forKey: Key.expectedContentLength) : -1,
            textEncodingName: aDecoder.decodeString(Key.textEncodingName)
        )
    }

    /// Encodes the response. Does nothing if the coder doesn't support keyed coding.
    open func encode(with aCoder: NSCoder) {
        guard aCoder.allowsKeyedCoding else { return }
        aCoder.encode(content.url, key: Key.url)
        aCoder.encode(content.mimeType, key: Key.mimeType)
        aCoder.encode(content.contentLength, forKey: Key.expectedContentLength)
        aCoder.encode(content.textEncodingName, key: Key.textEncodingName)
    }

    /// `true`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns the receiver, which is immutable.
    open override func copy() -> Any {
        copy(with: nil)
    }

    /// Returns the receiver, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any {
        self
    }

    /// The URL of the response. Never `nil`.
    open var url: URL? { content.url }

    /// The media type in lower case, without parameters; `nil` if unknown.
    open var mimeType: String? { content.mimeType }

    /// The expected length of the body in bytes; -1 if unknown.
    ///
    /// The server reports it. The actual length may differ.
    open var expectedContentLength: Int64 { content.contentLength }

    /// The charset of the text, by its IANA name; `nil` if unknown.
    open var textEncodingName: String? { content.textEncodingName }

    /// A name for a file with the body. Never `nil`.
    ///
    /// It is the last component of the URL's path, also of a relative or `data:` URL; otherwise the
    /// host, otherwise `Unknown`. A component without an extension gets that of the media type. Whatever the server sends, the
    /// name is a single path component: it has no slash, backslash or control character, doesn't
    /// begin with a dot, and has at most 255 bytes.
    open var suggestedFilename: String? {
        SuggestedFilename.make(disposition: nil, url: url, mimeType: mimeType)
    }

    /// Whether `value` has the same class, URL, type, length and charset.
    open override func isEqual(_ value: Any?) -> Bool {
        guard let other = value as? URLResponse, type(of: other) == type(of: self) else {
            return false
        }
        return other === self
            || (other.url == url && other.mimeType == mimeType
                && other.expectedContentLength == expectedContentLength
                && other.textEncodingName == textEncodingName)
    }

    /// Equal for equal responses.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(url)
        hasher.combine(mimeType)
        hasher.combine(expectedContentLength)
        hasher.combine(textEncodingName)
        return hasher.finalize()
    }
}
