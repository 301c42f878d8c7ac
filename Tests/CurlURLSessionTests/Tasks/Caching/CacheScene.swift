internal import Foundation
internal import HTTPSemantics
internal import TestSupport

@testable internal import CurlURLSession

/// A session with its own cache on a manual clock, and a server.
struct CacheScene {
    let clock = ManualClock()
    let cache: URLCache
    let server: LoopbackServer
    let session: URLSession

    /// - Parameters:
    ///   - memory: The capacity of the cache, in bytes.
    ///   - handler: Returns the reply to a request. The number counts the server's requests from 1.
    init(
        memory: Int = 1 << 20,
        cache: URLCache? = nil,
        delegate: (any URLSessionDelegate)? = nil,
        configure: (URLSessionConfiguration) -> Void = { _ in },
        handler: @escaping @Sendable (RecordedRequest, Int) -> Reply
    ) throws {
        let counter = Watched(0)
        server = try LoopbackServer { request in
            let number = counter.update { count -> Int in
                count += 1
                return count
            }
            return handler(request, number)
        }
        let cache = cache ?? URLCache(memoryCapacity: memory, diskCapacity: 0)
        self.cache = clock.drive(cache)
        session = .test(delegate: delegate) { configuration in
            configuration.urlCache = cache
            configure(configuration)
        }
    }

    /// The response to a request, and its body as text.
    struct Answer {
        let text: String
        let response: HTTPURLResponse

        func header(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }
    }

    func request(
        _ path: String = "/",
        _ method: String = "GET",
        policy: URLRequest.CachePolicy = .useProtocolCachePolicy,
        fields: [String: String] = [:]
    ) throws -> URLRequest {
        var request = URLRequest(url: try server.at(path), cachePolicy: policy)
        request.httpMethod = method
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    func load(
        _ path: String = "/",
        _ method: String = "GET",
        policy: URLRequest.CachePolicy = .useProtocolCachePolicy,
        fields: [String: String] = [:],
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> Answer {
        let request = try request(path, method, policy: policy, fields: fields)
        let (data, response) = try await session.data(for: request, delegate: delegate)
        guard let response = response as? HTTPURLResponse else {
            throw URLError(.badServerResponse)
        }
        return Answer(text: String(decoding: data, as: UTF8.self), response: response)
    }

    /// The HTTP date that is `seconds` from now.
    func date(_ seconds: TimeInterval) -> String {
        HTTPDate.text(from: clock.now.addingTimeInterval(seconds))
    }
}

extension Reply {
    /// A reply that is fresh for `seconds`.
    static func fresh(_ text: String, _ seconds: Int = 60) -> Reply {
        Reply.text(text).header("Cache-Control", "max-age=\(seconds)")
    }

    /// A reply with an `ETag`; a 304 if the request has that tag.
    static func tagged(_ text: String, _ tag: String, to request: RecordedRequest) -> Reply {
        let reply =
            request.header("If-None-Match") == tag ? Reply.status(304) : Reply.text(text)
        return reply.header("ETag", tag)
    }
}
