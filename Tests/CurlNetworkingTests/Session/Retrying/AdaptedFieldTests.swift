internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Headers that adapters add, across redirects.
@Suite(.timeLimit(.minutes(10))) struct AdaptedFieldTests {
    private let adapter = Adapter { request, _ in
        var request = request
        request.setValue("added", forHTTPHeaderField: "X-Shop-Key")
        request.setValue("changed", forHTTPHeaderField: "X-Own")
        request.setValue("text/csv", forHTTPHeaderField: "Content-Type")
        return request
    }

    /// A request with its own headers.
    private func request(_ server: LoopbackServer) throws -> URLRequest {
        var request = try server.request("/from", method: "PUT", body: Data("a,b".utf8))
        request.setValue("mine", forHTTPHeaderField: "X-Own")
        request.setValue("plain", forHTTPHeaderField: "X-Plain")
        request.setValue("secret", forHTTPHeaderField: "X-API-Key")
        return request
    }

    @Test(
        "A-11: Headers that an adapter sets aren't sent to another origin, nor are secrets",
        arguments: [true, false]
    )
    func adapterHeadersStayWithTheirOrigin(_ hasHandler: Bool) async throws {
        let elsewhere = try LoopbackServer { _ in .text("hello") }
        let target = elsewhere.at("/to")
        let server = try LoopbackServer { request in
            request.path == "/from" ? .redirect(307, to: "/same") : .redirect(307, to: target)
        }
        let manager = URLSessionManager.test {
            $0.httpAdditionalHeaders = ["X-Auth-Token": "the session's"]
        }
        manager.interceptor = adapter
        if hasHandler {
            manager.setTaskWillPerformHTTPRedirection { _, _, _, request in request }
        }
        #expect(try await manager.load(request(server)).text == "hello")
        for sent in server.requests {
            #expect(sent.header("X-Shop-Key") == "added")
            #expect(sent.header("X-Own") == "changed")
            #expect(sent.header("X-API-Key") == "secret")
            #expect(sent.header("X-Auth-Token") == "the session's")
        }
        #expect(server.requests.map(\.path) == ["/from", "/same"])
        let last = try await elsewhere.request(0)
        for name in ["X-Shop-Key", "X-Own", "X-API-Key", "X-Auth-Token"] {
            #expect(last.header(name) == nil, "\(name)")
        }
        #expect(last.header("X-Plain") == "plain")
        #expect(last.header("Content-Type") == "text/csv")
        #expect(last.bodyText == "a,b")
    }

    @Test("A-11: A redirect handler that changes the origin drops an adapter's headers")
    func redirectToAnotherOriginDropsAdapterHeaders() async throws {
        let elsewhere = try LoopbackServer { _ in .text("hello") }
        let server = try LoopbackServer { _ in .redirect(307, to: "/same") }
        let target = try elsewhere.request("/to").url
        let manager = URLSessionManager.test()
        manager.interceptor = adapter
        manager.setTaskWillPerformHTTPRedirection { _, _, _, request in
            var request = request
            request.url = target
            request.setValue("on purpose", forHTTPHeaderField: "X-Own")
            return request
        }
        #expect(try await manager.load(request(server)).text == "hello")
        let last = try await elsewhere.request(0)
        #expect(last.header("X-Shop-Key") == nil)
        #expect(last.header("X-Own") == "on purpose")
        #expect(last.header("X-Plain") == "plain")
    }
}
