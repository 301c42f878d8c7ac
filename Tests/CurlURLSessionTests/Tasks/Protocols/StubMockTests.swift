import CurlURLSession
import Foundation
import TestSupport
import Testing

/// A mock that delivers data for URLs without a response, as the shortest mocks do.
private final class DataMock: URLProtocol {
    nonisolated(unsafe) static var testURLs: [URL?: Data] = [:]

    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        if let url = request.url, let data = DataMock.testURLs[url] {
            self.client?.urlProtocol(self, didLoad: data)
        }
        self.client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

/// A stub that delivers its data, response and error in this order, and always finishes.
private final class Stub: URLProtocol {
    struct Answer {
        let data: Data?
        let response: URLResponse?
        let error: (any Error)?
    }

    nonisolated(unsafe) static var answer: Answer?
    nonisolated(unsafe) static var observer: ((URLRequest) -> Void)?

    override class func canInit(with request: URLRequest) -> Bool {
        observer?(request)
        return true
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        if let data = Stub.answer?.data { client?.urlProtocol(self, didLoad: data) }
        if let response = Stub.answer?.response {
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        }
        if let error = Stub.answer?.error { client?.urlProtocol(self, didFailWithError: error) }
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

@Suite(.serialized, .timeLimit(.minutes(10)))
struct StubMockTests {
    private func address(_ path: String) throws -> URL {
        try #require(URL(string: "https://stub.invalid/" + path))
    }

    @Test func dataWithoutAResponseReachesTheHandler() async throws {
        let url = try address("users")
        DataMock.testURLs = [url: Data("users".utf8)]
        let mocks = MockSession([DataMock.self])
        let found = await mocks.complete(URLRequest(url: url))
        #expect(found.data == Data("users".utf8))
        #expect(found.error == nil)
        #expect(!(found.response is HTTPURLResponse))
        let none = await mocks.complete(URLRequest(url: try address("nothing")))
        #expect(none.data == Data())
        #expect(none.error == nil)
    }

    @Test func dataWithoutAResponseReachesAsyncCallers() async throws {
        let url = try address("users")
        DataMock.testURLs = [url: Data("users".utf8)]
        let mocks = MockSession([DataMock.self])
        let (text, response) = try await mocks.text(url)
        #expect(text == "users")
        #expect(response.url == url)
        #expect(!(response is HTTPURLResponse))
    }

    @Test func dataBeforeTheResponseIsNotLost() async throws {
        let url = try address("a")
        let response = HTTPURLResponse(
            url: url,
            statusCode: 201,
            httpVersion: nil,
            headerFields: nil
        )
        Stub.answer = Stub.Answer(data: Data("early".utf8), response: response, error: nil)
        let journal = TaskJournal()
        let mocks = MockSession([Stub.self], delegate: journal)
        mocks.session.dataTask(with: url).resume()
        #expect(
            try await journal.entriesToEnd()
                == ["response 201", "data early", "metrics", "completed"]
        )
    }

    @Test func errorTakesPrecedenceOverALaterFinish() async throws {
        let url = try address("a")
        let error = NSError(domain: "any error", code: 17)
        let response = URLResponse(
            url: url,
            mimeType: nil,
            expectedContentLength: 0,
            textEncodingName: nil
        )
        for response in [nil, response] {
            Stub.answer = Stub.Answer(data: Data("a".utf8), response: response, error: error)
            let mocks = MockSession([Stub.self])
            let completion = await mocks.complete(URLRequest(url: url))
            let received = completion.error.map { $0 as NSError }
            #expect(received?.domain == "any error")
            #expect(received?.code == 17)
            #expect(completion.data == nil)
        }
    }

    @Test func nonHTTPResponseIsDeliveredUnchanged() async throws {
        let url = try address("a")
        let response = URLResponse(
            url: url,
            mimeType: "text/plain",
            expectedContentLength: 1,
            textEncodingName: "utf-8"
        )
        Stub.answer = Stub.Answer(data: Data("a".utf8), response: response, error: nil)
        let mocks = MockSession([Stub.self])
        let completion = await mocks.complete(URLRequest(url: url))
        #expect(completion.response == response)
        #expect(completion.data == Data("a".utf8))
    }

    @Test func canInitCanRecordRequests() async throws {
        let requests = EventRecorder<URLRequest>()
        Stub.answer = Stub.Answer(data: nil, response: nil, error: URLError(.unknown))
        Stub.observer = { requests.record($0) }
        defer { Stub.observer = nil }
        var request = URLRequest(url: try address("observed?q=1"))
        request.httpMethod = "POST"
        let mocks = MockSession([Stub.self])
        _ = await mocks.complete(request)
        #expect(requests.events.count == 1)
        #expect(requests.events.first?.url == request.url)
        #expect(requests.events.first?.httpMethod == "POST")
    }
}
