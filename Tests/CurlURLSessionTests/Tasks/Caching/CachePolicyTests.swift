internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlURLSession

/// Tests each cache policy with no, a fresh and a stale stored response.
@Suite(.timeLimit(.minutes(10))) struct CachePolicyTests {
    enum Stored: Sendable {
        case nothing
        case fresh
        case stale
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let policy: URLRequest.CachePolicy
        let stored: Stored
        /// The body of the response; `nil` for an error.
        let text: String?
        /// Whether a request reaches the server.
        let isSent: Bool
        /// Whether that request is conditional.
        var isConditional = false

        var testDescription: String { "\(policy), \(stored)" }
    }

    static let cases: [Case] = [
        Case(policy: .useProtocolCachePolicy, stored: .nothing, text: "1", isSent: true),
        Case(policy: .useProtocolCachePolicy, stored: .fresh, text: "1", isSent: false),
        Case(
            policy: .useProtocolCachePolicy,
            stored: .stale,
            text: "1",
            isSent: true,
            isConditional: true
        ),
        Case(policy: .reloadIgnoringLocalCacheData, stored: .nothing, text: "1", isSent: true),
        Case(policy: .reloadIgnoringLocalCacheData, stored: .fresh, text: "2", isSent: true),
        Case(policy: .reloadIgnoringLocalCacheData, stored: .stale, text: "2", isSent: true),
        Case(
            policy: .reloadIgnoringLocalAndRemoteCacheData,
            stored: .nothing,
            text: "1",
            isSent: true
        ),
        Case(
            policy: .reloadIgnoringLocalAndRemoteCacheData,
            stored: .fresh,
            text: "2",
            isSent: true
        ),
        Case(
            policy: .reloadIgnoringLocalAndRemoteCacheData,
            stored: .stale,
            text: "2",
            isSent: true
        ),
        Case(policy: .returnCacheDataElseLoad, stored: .nothing, text: "1", isSent: true),
        Case(policy: .returnCacheDataElseLoad, stored: .fresh, text: "1", isSent: false),
        Case(policy: .returnCacheDataElseLoad, stored: .stale, text: "1", isSent: false),
        Case(policy: .returnCacheDataDontLoad, stored: .nothing, text: nil, isSent: false),
        Case(policy: .returnCacheDataDontLoad, stored: .fresh, text: "1", isSent: false),
        Case(policy: .returnCacheDataDontLoad, stored: .stale, text: "1", isSent: false),
        Case(policy: .reloadRevalidatingCacheData, stored: .nothing, text: "1", isSent: true),
        Case(
            policy: .reloadRevalidatingCacheData,
            stored: .fresh,
            text: "1",
            isSent: true,
            isConditional: true
        ),
        Case(
            policy: .reloadRevalidatingCacheData,
            stored: .stale,
            text: "1",
            isSent: true,
            isConditional: true
        ),
    ]

    @Test(
        "C19: Each cache policy decides whether the cache or the server answers",
        arguments: cases,
        [true, false]
    )
    func eachCachePolicyUsesItsSource(_ test: Case, _ isTheSessions: Bool) async throws {
        let scene = try CacheScene { request, number in
            let tag = request.header("If-None-Match") ?? "\"\(number)\""
            return .tagged("\(number)", tag, to: request).header("Cache-Control", "max-age=60")
        }
        if test.stored != .nothing { _ = try await scene.load() }
        if test.stored == .stale { scene.clock.advance(by: 100) }
        let before = scene.server.requestCount
        let policy = test.policy
        let session = URLSession.test { configuration in
            configuration.urlCache = scene.cache
            if isTheSessions { configuration.requestCachePolicy = policy }
        }
        let request = try scene.request(policy: isTheSessions ? .useProtocolCachePolicy : policy)
        if let text = test.text {
            let (data, _) = try await session.data(for: request)
            #expect(String(decoding: data, as: UTF8.self) == text)
        } else {
            let error = try await urlError { _ = try await session.data(for: request) }
            #expect(error.code == .resourceUnavailable)
            #expect(error.failingURL == request.url)
        }
        #expect(scene.server.requestCount - before == (test.isSent ? 1 : 0))
        guard test.isSent, let sent = scene.server.requests.last else { return }
        #expect(sent.header("If-None-Match") == (test.isConditional ? "\"1\"" : nil))
        let isStrict = policy == .reloadIgnoringLocalAndRemoteCacheData
        #expect(sent.header("Pragma") == (isStrict ? "no-cache" : nil))
        let isAsking = isStrict || test.isConditional && policy == .reloadRevalidatingCacheData
        #expect((sent.header("Cache-Control") != nil) == isAsking)
    }

    @Test func reloadedResponseIsStored() async throws {
        let scene = try CacheScene { .fresh("\($1)") }
        #expect(try await scene.load(policy: .reloadIgnoringLocalCacheData).text == "1")
        #expect(try await scene.load().text == "1")
        #expect(try await scene.load(policy: .reloadIgnoringLocalCacheData).text == "2")
        #expect(try await scene.load().text == "2")
        #expect(scene.server.requestCount == 2)
    }

    @Test func policiesApplyWithoutACache() async throws {
        let scene = try CacheScene(configure: { $0.urlCache = nil }) { .fresh("\($1)") }
        let error = try await urlError {
            _ = try await scene.load(policy: .returnCacheDataDontLoad)
        }
        #expect(error.code == .resourceUnavailable)
        #expect(scene.server.requestCount == 0)
        #expect(try await scene.load().text == "1")
        let policies: [URLRequest.CachePolicy] = [
            .useProtocolCachePolicy, .returnCacheDataElseLoad, .reloadRevalidatingCacheData,
            .reloadIgnoringLocalCacheData,
        ]
        for (index, policy) in policies.enumerated() {
            #expect(try await scene.load(policy: policy).text == "\(index + 2)")
            #expect(scene.server.requests.last?.header("Cache-Control") == nil)
        }
        _ = try await scene.load(policy: .reloadIgnoringLocalAndRemoteCacheData)
        #expect(scene.server.requests.last?.header("Cache-Control") == "no-cache")
    }

    @Test func cacheOnlyMissFailsDelegatesAndHandlers() async throws {
        let delegate = SessionDelegate()
        let scene = try CacheScene(delegate: delegate) { .fresh("\($1)") }
        let request = try scene.request(policy: .returnCacheDataDontLoad)
        scene.session.dataTask(with: request).resume()
        #expect(try await delegate.failure().code == .resourceUnavailable)
        let code = URLError.Code.resourceUnavailable.rawValue
        #expect(delegate.events == [.metrics(transactions: 1), .completed(code)])
        let error: (any Error)? = await awaitHandler { done in
            scene.session.dataTask(with: request) { done($2) }.resume()
        }
        #expect((error as? URLError)?.code == .resourceUnavailable)
        #expect(scene.server.requestCount == 0)
        scene.session.invalidateAndCancel()
    }

    @Test func onlyIfCachedIsAnsweredLocally() async throws {
        let scene = try CacheScene { .fresh("\($1)") }
        let fields = ["Cache-Control": "only-if-cached"]
        #expect(try await scene.load(fields: fields).response.statusCode == 504)
        #expect(try await scene.load().text == "1")
        #expect(try await scene.load(fields: fields).text == "1")
        #expect(scene.server.requestCount == 1)
    }
}
