public import Foundation

// `@unchecked Sendable`: the only stored property is a constant, and the compiler proves its type
// to be `Sendable`. The compiler can't prove that of an open class. A subclass is responsible for
// what it adds.
/// A response with its body, as a ``URLCache`` stores it.
///
/// A cached response is immutable.
open class CachedURLResponse: NSObject, NSCopying, @unchecked Sendable {
    private let content: Content

    private struct Content: Sendable {
        let response: URLResponse
        let data: Data
        let userInfo: UserInfo?
        let storagePolicy: URLCache.StoragePolicy
        let record: CacheRecord?
    }

    // `@unchecked Sendable`: nothing here reads or changes the values; they are returned as they
    // were passed. A caller that attaches a mutable object is responsible for it, as the
    // documentation of `CachedURLResponse` says.
    /// The values attached to a cached response.
    struct UserInfo: @unchecked Sendable {
        let values: [AnyHashable: Any]
    }

    /// Creates a cached response for storage in memory and on disk.
    public init(response: URLResponse, data: Data) {
        content = Content(
            response: response,
            data: data,
            userInfo: nil,
            storagePolicy: .allowed,
            record: nil
        )
    }

    /// Creates a cached response.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - data: Its body.
    ///   - userInfo: Values to keep with the response. Other threads may read them, so they must
    ///     not change. They aren't written to disk.
    ///   - storagePolicy: Where the response may be stored.
    public init(
        response: URLResponse,
        data: Data,
        userInfo: [AnyHashable: Any]? = nil,
        storagePolicy: URLCache.StoragePolicy
    ) {
        content = Content(
            response: response,
            data: data,
            userInfo: userInfo.map { UserInfo(values: $0) },
            storagePolicy: storagePolicy,
            record: nil
        )
    }

    /// Creates a cached response with the cache's record of it.
    init(
        response: URLResponse,
        data: Data,
        attached userInfo: UserInfo? = nil,
        storagePolicy: URLCache.StoragePolicy = .allowed,
        record: CacheRecord?
    ) {
        content = Content(
            response: response,
            data: data,
            userInfo: userInfo,
            storagePolicy: storagePolicy,
            record: record
        )
    }

    /// Returns the receiver, which is immutable.
    open override func copy() -> Any {
        copy(with: nil)
    }

    /// Returns the receiver, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any {
        self
    }

    /// The response.
    open var response: URLResponse { content.response }

    /// The body of the response.
    open var data: Data { content.data }

    /// The values attached to the response. They aren't written to disk, so a response from there
    /// has none.
    open var userInfo: [AnyHashable: Any]? { content.userInfo?.values }

    /// Where the response may be stored.
    open var storagePolicy: URLCache.StoragePolicy { content.storagePolicy }

    /// The cache's record of the response; `nil` if other code created the response.
    var record: CacheRecord? { content.record }

    /// A copy with another response, body or record. The attached values stay.
    func replacing(
        response: URLResponse? = nil,
        data: Data? = nil,
        record: CacheRecord?
    ) -> CachedURLResponse {
        CachedURLResponse(
            response: response ?? self.response,
            data: data ?? self.data,
            attached: userInfo.map { UserInfo(values: $0) },
            storagePolicy: storagePolicy,
            record: record
        )
    }

    /// The response with the record of `proposed` unless it has its own. `proposed` is the response
    /// that the delegate replaced by this one.
    func recorded(like proposed: CachedURLResponse) -> CachedURLResponse {
        record == nil ? replacing(record: proposed.record) : self
    }

    /// Whether `value` has an equal response, body and storage policy. Attached values aren't
    /// compared.
    open override func isEqual(_ value: Any?) -> Bool {
        guard let other = value as? CachedURLResponse else { return false }
        return other === self
            || (other.response == response && other.data == data
                && other.storagePolicy == storagePolicy)
    }

    /// Equal for equal cached responses.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(response)
        hasher.combine(data)
        hasher.combine(storagePolicy)
        return hasher.finalize()
    }
}
