import Foundation
internal import HTTPSemantics
import Testing

@testable import CurlURLSession

/// Requests and responses for tests of the cache.
enum CacheSamples {
    static func url(_ text: String = "http://example.com/a") throws -> URL {
        try #require(URL(string: text))
    }

    static func request(
        _ url: String = "http://example.com/a",
        _ fields: [(String, String)] = [],
        method: String = "GET"
    ) throws -> URLRequest {
        var request = URLRequest(url: try Self.url(url))
        request.httpMethod = method
        for (name, value) in fields { request.addValue(value, forHTTPHeaderField: name) }
        return request
    }

    static func response(
        _ fields: [(String, String)] = [],
        status: Int = 200,
        url: String = "http://example.com/a"
    ) throws -> HTTPURLResponse {
        HTTPURLResponse(
            url: try Self.url(url),
            statusCode: status,
            httpVersion: "HTTP/1.1",
            fields: ResponseHeaderFields(fields.map { HeaderLine(name: $0.0, value: $0.1) })
        )
    }

    static func cached(
        _ body: String = "body",
        _ fields: [(String, String)] = [],
        url: String = "http://example.com/a",
        policy: URLCache.StoragePolicy = .allowed
    ) throws -> CachedURLResponse {
        CachedURLResponse(
            response: try response(fields, url: url),
            data: Data(body.utf8),
            storagePolicy: policy
        )
    }

    /// A response of `size` bytes in memory, including the URL, without header fields.
    static func cached(size: Int, url: String) throws -> CachedURLResponse {
        CachedURLResponse(
            response: try response(url: url),
            data: Data(count: size - url.utf8.count)
        )
    }

    /// A stored response, as found in the cache, received at `time`.
    static func stored(
        _ fields: [(String, String)],
        status: Int = 200,
        at time: Date,
        sent: Date? = nil,
        request: URLRequest? = nil
    ) throws -> StoredResponse {
        let response = try response(fields, status: status)
        let variance = RequestVariance(
            of: try request ?? Self.request(),
            answeredBy: response.fields
        )
        let record = CacheRecord(
            requestTime: sent ?? time,
            responseTime: time,
            variance: try #require(variance)
        )
        let cached = CachedURLResponse(response: response, data: Data("old".utf8), record: record)
        return try #require(StoredResponse(cached))
    }
}
