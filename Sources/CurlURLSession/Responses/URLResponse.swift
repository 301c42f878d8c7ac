public import Foundation

/// What is known of a response before its body: where it came from, its type and its length.
///
/// A response doesn't change.
///
/// `@unchecked Sendable`: its one stored property is constant, and of a type that the compiler
/// proves to be `Sendable`. A class that others may inherit from can't say so otherwise; whoever
/// does answers for what he adds.
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
    ///   - url: Where it came from.
    ///   - mimeType: Its media type, without parameters.
    ///   - length: How many bytes its body has; -1 if that isn't known.
    ///   - name: The charset of its text, by the name that IANA registered.
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

    /// Reads a response from an archive; `nil` if the coder has no keys or there is no URL in it.
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

    /// Writes the response. A coder without keys gets nothing.
    open func encode(with aCoder: NSCoder) {
        guard aCoder.allowsKeyedCoding else { return }
        aCoder.encode(content.url, key: Key.url)
        aCoder.encode(content.mimeType, key: Key.mimeType)
        aCoder.encode(content.contentLength, forKey: Key.expectedContentLength)
        aCoder.encode(content.textEncodingName, key: Key.textEncodingName)
    }

    /// `true`.
    public static var supportsSecureCoding: Bool { true }

    /// The receiver, which doesn't change.
    open override func copy() -> Any {
        copy(with: nil)
    }

    /// The receiver, which doesn't change.
    open func copy(with zone: NSZone? = nil) -> Any {
        self
    }

    /// Where the response came from. Never `nil`.
    open var url: URL? { content.url }

    /// The media type in small letters, without parameters; `nil` if it isn't known.
    open var mimeType: String? { content.mimeType }

    /// How many bytes the body will have; -1 if that isn't known.
    ///
    /// What the source said. More or fewer may come.
    open var expectedContentLength: Int64 { content.contentLength }

    /// The charset of the text, by the name that IANA registered; `nil` if it isn't known.
    open var textEncodingName: String? { content.textEncodingName }

    /// A name for a file that holds the body. Never `nil`.
    ///
    /// It is the last component of the URL's path, else its host, else `Unknown`. A path's component
    /// without an extension gets the one of the media type. The name is one component of a path,
    /// whatever the source said: no slash, backslash or control character is in it, it doesn't begin
    /// with a dot, and it has at most 255 bytes.
    open var suggestedFilename: String? {
        SuggestedFilename.make(disposition: nil, url: url, mimeType: mimeType)
    }

    /// Whether `value` is of the same class and has the same URL, type, length and charset.
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
