internal import CurlURLSession
internal import Foundation
internal import Synchronization
internal import Testing

@Suite struct URLCacheTaskTests {
    @Test func responseStoredForATaskIsFoundForItsRequest() throws {
        let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        let url = try #require(URL(string: "http://localhost/"))
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let task = session.dataTask(with: url)
        let response = URLResponse(
            url: url,
            mimeType: nil,
            expectedContentLength: 3,
            textEncodingName: nil
        )
        let bytes = Data("abc".utf8)
        cache.storeCachedResponse(CachedURLResponse(response: response, data: bytes), for: task)
        #expect(cache.cachedResponse(for: URLRequest(url: url))?.data == bytes)
        #expect(found(task, in: cache) == bytes)
        cache.removeCachedResponse(for: task)
        #expect(found(task, in: cache) == nil)
        #expect(cache.cachedResponse(for: URLRequest(url: url)) == nil)
    }

    private func found(_ task: URLSessionDataTask, in cache: URLCache) -> Data? {
        let found = Mutex<Data?>(nil)
        cache.getCachedResponse(for: task) { response in
            found.withLock { $0 = response?.data }
        }
        return found.withLock { $0 }
    }
}
