internal import CurlNetworking
internal import Foundation
internal import TestSupport
internal import Testing

/// Redirects, cookies, caches, timeouts and downloads.
@Suite(.enabled(if: HTTPBinPeer.isAvailable), .timeLimit(.minutes(10)))
struct HTTPBinSessionTests {
    @Test(arguments: ["redirect/3", "relative-redirect/3", "absolute-redirect/3"])
    func redirectsAreFollowed(_ path: String) async throws {
        let manager = try await HTTPBinPeer.shared().manager()
        let followed = EventRecorder<Int>()
        manager.setTaskWillPerformHTTPRedirection { _, _, response, request in
            followed.record(response.statusCode)
            return request
        }
        let echo = try await manager.get(path, of: HTTPBinEcho.self)
        #expect(echo.url.hasSuffix("/get"))
        #expect(followed.events == [302, 302, 302])
    }

    @Test func redirectHandlerCanRefuse() async throws {
        let manager = try await HTTPBinPeer.shared().manager()
        manager.setTaskWillPerformHTTPRedirection { _, _, _, _ in nil }
        let error = try await #require(throws: (any Error).self) {
            try await manager.get("redirect/1")
        }
        #expect(NetworkingError(error).responseCode == 302)
    }

    @Test(arguments: [(303, "GET", ""), (307, "POST", "value"), (308, "POST", "value")])
    func redirectKeepsMethodWhenStatusRequires(_ row: (Int, String, String)) async throws {
        let (status, method, value) = row
        let peer = try await HTTPBinPeer.shared()
        let manager = peer.manager()
        let echo = try await manager.post(
            "redirect-to?status_code=\(status)&url=/anything",
            parameters: ["key": value],
            of: HTTPBinEcho.self
        )
        #expect(echo.method == method)
        #expect(echo.form?["key"] == (value.isEmpty ? nil : value))
    }

    @Test func cookiesAreStoredAndDeleted() async throws {
        let manager = try await HTTPBinPeer.shared().manager()
        typealias Jar = [String: [String: String]]
        let set = try await manager.get("cookies/set", parameters: ["a": "1"], of: Jar.self)
        #expect(set == ["cookies": ["a": "1"]])
        let more = try await manager.get("cookies/set/b/2", of: Jar.self)
        #expect(more == ["cookies": ["a": "1", "b": "2"]])
        let left = try await manager.get("cookies/delete?a", of: Jar.self)
        #expect(left == ["cookies": ["b": "2"]])
        manager.requestSerializer.httpShouldHandleCookies = false
        #expect(try await manager.get("cookies", of: Jar.self) == ["cookies": [:]])
        // Other managers have their own cookies.
        let other = try await HTTPBinPeer.shared().manager()
        #expect(try await other.get("cookies", of: Jar.self) == ["cookies": [:]])
    }

    @Test func slowResponseIsAwaitedUntilTheTimeout() async throws {
        let manager = try await HTTPBinPeer.shared().manager()
        let echo = try await manager.get("delay/0.2", of: HTTPBinEcho.self)
        #expect(echo.url.hasSuffix("/delay/0.2"))
        manager.requestSerializer.timeoutInterval = 0.5
        let error = try await #require(throws: (any Error).self) {
            try await manager.get("delay/8")
        }
        #expect((error as? URLError)?.code == .timedOut)
        #expect(NetworkingError(error).isTimeout)
    }

    @Test func freshResponseComesFromTheCache() async throws {
        let manager = try await HTTPBinPeer.shared().manager { configuration in
            configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0)
        }
        let fetches = EventRecorder<URLSessionTaskMetrics.ResourceFetchType?>()
        manager.setTaskDidFinishCollectingMetrics { _, _, metrics in
            fetches.record(metrics.transactionMetrics.last?.resourceFetchType)
        }
        let first = try await manager.get("cache/600", of: HTTPBinEcho.self)
        let second = try await manager.get("cache/600", of: HTTPBinEcho.self)
        #expect(first.url == second.url)
        #expect(fetches.events == [.networkLoad, .localCache])
    }

    @Test func conditionalRequestsReachTheServer() async throws {
        let manager = try await HTTPBinPeer.shared().manager { $0.urlCache = nil }
        for (path, headers, status) in [
            ("cache", ["If-None-Match": "x"], 304),
            ("etag/abc", ["If-None-Match": "abc"], 304),
            ("etag/abc", ["If-Match": "other"], 412),
        ] as [(String, HTTPHeaders, Int)] {
            let error = try await #require(throws: (any Error).self) {
                try await manager.get(path, headers: headers)
            }
            #expect(NetworkingError(error).responseCode == status)
        }
        let echo = try await manager.get(
            "etag/abc",
            headers: ["If-Match": "abc"],
            of: HTTPBinEcho.self
        )
        #expect(echo.url.hasSuffix("/etag/abc"))
    }

    @Test func downloadIsWrittenToAFile() async throws {
        let manager = try await HTTPBinPeer.shared().manager()
        manager.responseSerializer = HTTPResponseSerializer()
        let folder = try TemporaryDirectory()
        let target = URL(fileURLWithPath: folder.path("image.png"))
        let url = try #require(URL(string: "image/png", relativeTo: manager.baseURL))
        let progress = EventRecorder<[Int64]>()
        let (file, response) = try await manager.download(
            for: URLRequest(url: url),
            progress: { progress.record([$0.completedUnitCount, $0.totalUnitCount]) },
            to: { _, _ in target }
        )
        #expect(file == target)
        let bytes = try folder.read("image.png")
        #expect(bytes.count == Int(response.expectedContentLength))
        #expect(progress.events.last == [Int64(bytes.count), Int64(bytes.count)])
    }
}
