import CurlURLSession
import Foundation
import TestSupport
import Testing

private final class Client: NSObject, URLProtocolClient {
    let errors = EventRecorder<String>()

    func urlProtocol(
        _ protocol: URLProtocol,
        wasRedirectedTo request: URLRequest,
        redirectResponse: URLResponse
    ) {}
    func urlProtocol(
        _ protocol: URLProtocol,
        cachedResponseIsValid cachedResponse: CachedURLResponse
    ) {}
    func urlProtocol(
        _ protocol: URLProtocol,
        didReceive response: URLResponse,
        cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {}
    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) {}
    func urlProtocolDidFinishLoading(_ protocol: URLProtocol) {}
    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) {
        errors.record("\((error as? URLError)?.code.rawValue ?? 0)")
    }
    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {}
    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {}
}

/// Gives requests to `/a` and `/a/` the same canonical form.
private final class Canonical: URLProtocol {
    override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        var request = request
        request.url = request.url.flatMap { url in
            URL(string: url.absoluteString.trimmingCharacters(in: ["/"]))
        }
        return request
    }
}

struct URLProtocolTests {
    private func request(_ text: String = "http://example.com/a") throws -> URLRequest {
        URLRequest(url: try #require(URL(string: text)))
    }

    @Test func protocolHasItsInitialValues() throws {
        let (request, client) = (try request(), Client())
        let made = URLProtocol(request: request, cachedResponse: nil, client: client)
        #expect(made.request == request)
        #expect(made.cachedResponse == nil)
        #expect(made.client === client)
        #expect(made.task == nil)
        let other = Client()
        made.client = other
        #expect(made.client === other)
        made.client = nil
        #expect(made.client == nil)
    }

    @Test func protocolHasTheTasksRequest() throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let task = session.dataTask(with: try request())
        let made = URLProtocol(task: task, cachedResponse: nil, client: nil)
        #expect(made.task === task)
        #expect(made.request == task.currentRequest)
        #expect(!URLProtocol.canInit(with: task))
    }

    @Test func baseClassLoadsNothing() throws {
        let request = try request()
        #expect(!URLProtocol.canInit(with: request))
        #expect(URLProtocol.canonicalRequest(for: request) == request)
        let client = Client()
        let made = URLProtocol(request: request, cachedResponse: nil, client: client)
        made.startLoading()
        made.stopLoading()
        #expect(client.errors.events == ["-1002"])
    }

    @Test func requestsWithEqualCanonicalFormAreEquivalent() throws {
        let (plain, slash) = (try request(), try request("http://example.com/a/"))
        let other = try request("http://example.com/b")
        #expect(URLProtocol.requestIsCacheEquivalent(plain, to: plain))
        #expect(!URLProtocol.requestIsCacheEquivalent(plain, to: slash))
        #expect(Canonical.requestIsCacheEquivalent(plain, to: slash))
        #expect(!Canonical.requestIsCacheEquivalent(plain, to: other))
    }

    @Test func propertiesAreSetAndRemoved() throws {
        let object = NSMutableURLRequest(url: try #require(URL(string: "http://example.com/")))
        #expect(URLProtocol.property(forKey: "a", in: URLRequest(object)) == nil)
        URLProtocol.setProperty(true, forKey: "a", in: object)
        URLProtocol.setProperty("text", forKey: "b", in: object)
        URLProtocol.setProperty(2, forKey: "a", in: object)
        var request = URLRequest(object)
        #expect(URLProtocol.property(forKey: "a", in: request) as? Int == 2)
        #expect(URLProtocol.property(forKey: "b", in: request) as? String == "text")
        URLProtocol.removeProperty(forKey: "a", in: object)
        URLProtocol.removeProperty(forKey: "c", in: object)
        #expect(URLProtocol.property(forKey: "a", in: URLRequest(object)) == nil)
        #expect(URLProtocol.property(forKey: "a", in: request) as? Int == 2)
        request.url = URL(string: "http://example.com/other")
        request.httpMethod = "PUT"
        #expect(URLProtocol.property(forKey: "b", in: request) as? String == "text")
    }
}
