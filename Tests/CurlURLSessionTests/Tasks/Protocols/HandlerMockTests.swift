import CurlURLSession
import Foundation
import TestSupport
import Testing

/// The mock that most projects use: a closure in a static property answers every request.
private final class HandlerMock: URLProtocol {
    nonisolated(unsafe) static var requestHandler:
        ((URLRequest) throws -> (HTTPURLResponse, Data?))?

    override class func canInit(with request: URLRequest) -> Bool {
        true
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        request
    }

    override func startLoading() {
        guard let handler = HandlerMock.requestHandler else {
            client?.urlProtocol(self, didFailWithError: URLError(.unknown))
            return
        }
        do {
            let (response, data) = try handler(request)
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            if let data {
                client?.urlProtocol(self, didLoad: data)
            }
            client?.urlProtocolDidFinishLoading(self)
        } catch {
            client?.urlProtocol(self, didFailWithError: error)
        }
    }

    override func stopLoading() {}
}

@Suite(.serialized, .timeLimit(.minutes(10)))
struct HandlerMockTests {
    private struct User: Codable, Equatable {
        let name: String
    }

    private func response(_ request: URLRequest, _ status: Int) throws -> HTTPURLResponse {
        let url = try #require(request.url)
        return try #require(
            HTTPURLResponse(
                url: url,
                statusCode: status,
                httpVersion: nil,
                headerFields: ["Content-Type": "application/json"]
            )
        )
    }

    @Test func mockAnswersWithoutANetwork() async throws {
        HandlerMock.requestHandler = { request in
            #expect(request.httpMethod == "GET")
            #expect(request.url?.path() == "/users/1")
            #expect(request.value(forHTTPHeaderField: "Accept") == "application/json")
            #expect(request.value(forHTTPHeaderField: "X-Client") == "tests")
            return (try self.response(request, 200), try JSONEncoder().encode(User(name: "Ada")))
        }
        let mocks = MockSession([HandlerMock.self]) {
            $0.httpAdditionalHeaders = ["X-Client": "tests"]
        }
        let url = try #require(URL(string: "https://api.invalid/users/1"))
        var request = URLRequest(url: url)
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        let (data, answer) = try await mocks.session.data(for: request)
        #expect((answer as? HTTPURLResponse)?.statusCode == 200)
        #expect(answer.mimeType == "application/json")
        #expect(try JSONDecoder().decode(User.self, from: data) == User(name: "Ada"))
    }

    @Test(arguments: [204, 404, 500])
    func mockStatusWithoutABodyHasEmptyData(status: Int) async throws {
        HandlerMock.requestHandler = { (try self.response($0, status), nil) }
        let mocks = MockSession([HandlerMock.self])
        let url = try #require(URL(string: "https://api.invalid/"))
        let completion = await mocks.complete(URLRequest(url: url))
        #expect(completion.data == Data())
        #expect((completion.response as? HTTPURLResponse)?.statusCode == status)
        #expect(completion.error == nil)
    }

    @Test func mockErrorIsTheTasksError() async throws {
        struct Refusal: Error, Equatable {}
        HandlerMock.requestHandler = { _ in throw Refusal() }
        let mocks = MockSession([HandlerMock.self])
        let url = try #require(URL(string: "https://api.invalid/"))
        await #expect(throws: Refusal()) { try await mocks.session.data(from: url) }
        let completion = await mocks.complete(URLRequest(url: url))
        #expect(completion.data == nil)
        #expect(completion.response == nil)
        #expect(completion.error is Refusal)
    }

    @Test func mockedServerGetsNoRequest() async throws {
        let server = try LoopbackServer { _ in .text("the network") }
        HandlerMock.requestHandler = { (try self.response($0, 200), Data("the mock".utf8)) }
        let mocks = MockSession([HandlerMock.self])
        let url = try #require(URL(string: server.url))
        for _ in 0..<10 { #expect(try await mocks.text(url).0 == "the mock") }
        #expect(server.acceptedConnectionCount == 0)
    }
}
