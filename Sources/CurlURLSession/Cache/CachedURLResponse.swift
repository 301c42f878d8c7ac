public import Foundation

/// A response with its body, as a ``URLCache`` keeps it.
///
/// A cached response doesn't change.
///
/// `@unchecked Sendable`: its one stored property is constant, and of a type that the compiler
/// proves to be `Sendable`. A class that others may inherit from can't say so otherwise; whoever
/// does answers for what he adds.
open class CachedURLResponse: NSObject, NSCopying, @unchecked Sendable {
    private let content: Content

    private struct Content: Sendable {
        let response: URLResponse
        let data: Data
        let userInfo: CachedUserInfo?
        let storagePolicy: URLCache.StoragePolicy
        let record: CacheRecord?
    }

    /// Creates a cached response that may be stored in memory and on disk.
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
    ///   - userInfo: Whatever is to be kept with it. Other threads may get it, so nothing in it may
    ///     change. It isn't written to disk.
    ///   - storagePolicy: Where it may be stored.
    public init(
        response: URLResponse,
        data: Data,
        userInfo: [AnyHashable: Any]? = nil,
        storagePolicy: URLCache.StoragePolicy
    ) {
        content = Content(
            response: response,
            data: data,
            userInfo: userInfo.map { CachedUserInfo(values: $0) },
            storagePolicy: storagePolicy,
            record: nil
        )
    }

    /// A cached response with what the cache notes beside it.
    init(
        response: URLResponse,
        data: Data,
        attached userInfo: CachedUserInfo? = nil,
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

    /// The receiver, which doesn't change.
    open override func copy() -> Any {
        copy(with: nil)
    }

    /// The receiver, which doesn't change.
    open func copy(with zone: NSZone? = nil) -> Any {
        self
    }

    /// The response.
    open var response: URLResponse { content.response }

    /// The body of the response.
    open var data: Data { content.data }

    /// What was attached to the response. It isn't written to disk: what comes from there has none.
    open var userInfo: [AnyHashable: Any]? { content.userInfo?.values }

    /// Where the response may be stored.
    open var storagePolicy: URLCache.StoragePolicy { content.storagePolicy }

    /// What the cache noted beside the response; `nil` where it was made by somebody else.
    var record: CacheRecord? { content.record }

    /// The same with another response, body and record. What was attached stays.
    func replacing(
        response: URLResponse? = nil,
        data: Data? = nil,
        record: CacheRecord?
    ) -> CachedURLResponse {
        CachedURLResponse(
            response: response ?? self.response,
            data: data ?? self.data,
            attached: userInfo.map { CachedUserInfo(values: $0) },
            storagePolicy: storagePolicy,
            record: record
        )
    }

    /// With what the cache noted beside `proposed`, which a program was asked about and made this of.
    func recorded(like proposed: CachedURLResponse) -> CachedURLResponse {
        record == nil ? replacing(record: proposed.record) : self
    }

    /// Whether `value` is a cached response with an equal response, body and storage policy. What is
    /// attached can't be compared.
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
