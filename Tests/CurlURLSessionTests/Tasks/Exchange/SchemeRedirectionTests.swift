internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests redirects to schemes other than `http` and `https`.
@Suite(.timeLimit(.minutes(10))) struct SchemeRedirectionTests {
    static let callback = "myapp://callback?code=1#state=2"
    static let locations = [
        callback, "mailto:x@example.org", "ftp://127.0.0.1/x", "file:///etc/passwd", "data:,x",
    ]

    private static func server(_ location: String, _ status: Int = 302) throws -> LoopbackServer {
        try LoopbackServer { _ in
            Reply(status, headers: [("Location", location)], body: .bytes(Array("moved".utf8)))
        }
    }

    /// A delegate that decides about no redirect.
    private final class Undecided: NSObject, URLSessionTaskDelegate {}

    @Test(
        "C7: A redirect to another scheme is the response if the delegate refuses it",
        arguments: locations
    )
    func refusedRedirectIsTheResponse(_ location: String) async throws {
        let server = try Self.server(location)
        let proposed = EventRecorder<String>()
        let delegate = SessionDelegate { answers in
            answers.redirect = { _, request, answer in
                proposed.record(request.url?.absoluteString ?? "")
                answer(nil)
            }
        }
        let (data, response) = try await URLSession.test()
            .data(from: server.at("/"), delegate: delegate)
        #expect((response as? HTTPURLResponse)?.statusCode == 302)
        #expect(String(decoding: data, as: UTF8.self) == "moved")
        #expect(proposed.events == [location])
    }

    @Test(
        "C7: A redirect to another scheme is the response if no delegate decides",
        arguments: [true, false]
    )
    func undecidedRedirectIsTheResponse(_ hasDelegate: Bool) async throws {
        let server = try Self.server(Self.callback)
        let delegate = hasDelegate ? Undecided() : nil
        let session = URLSession.test(delegate: hasDelegate ? Undecided() : nil)
        let (data, response) = try await session.data(from: server.at("/"), delegate: delegate)
        #expect((response as? HTTPURLResponse)?.statusCode == 302)
        #expect(String(decoding: data, as: UTF8.self) == "moved")
        session.invalidateAndCancel()
    }

    @Test(
        "C7: Following a redirect to another scheme fails the task, and reads no local file",
        arguments: locations
    )
    func followedRedirectFailsTheTask(_ location: String) async throws {
        let server = try Self.server(location)
        let delegate = SessionDelegate()
        let error = try await urlError {
            _ = try await URLSession.test().data(from: server.at("/"), delegate: delegate)
        }
        #expect(error.code == .unsupportedURL)
        #expect(error.failingURL?.scheme == URL(string: location)?.scheme)
        #expect(server.requestCount == 1)
    }

    @Test("The request to another scheme has no credentials, and a body only if it is kept")
    func requestToAnotherSchemeHasNoCredentials() async throws {
        for status in [302, 307] {
            let server = try Self.server(Self.callback, status)
            let proposed = Watched<URLRequest?>(nil)
            let delegate = SessionDelegate { answers in
                answers.redirect = { _, request, answer in
                    proposed.update { $0 = request }
                    answer(nil)
                }
            }
            var request = URLRequest(url: try server.at("/"))
            request.httpMethod = "POST"
            request.httpBody = Data("content".utf8)
            request.setValue("Bearer SECRET", forHTTPHeaderField: "Authorization")
            request.setValue("a=b", forHTTPHeaderField: "Cookie")
            request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
            request.setValue("here", forHTTPHeaderField: "X-Mine")
            _ = try await URLSession.test().data(for: request, delegate: delegate)
            let next = try #require(proposed.read { $0 })
            #expect(next.httpMethod == (status == 307 ? "POST" : "GET"))
            #expect(next.httpBody == (status == 307 ? Data("content".utf8) : nil))
            let type = next.value(forHTTPHeaderField: "Content-Type")
            #expect(type == (status == 307 ? "text/plain" : nil))
            #expect(next.value(forHTTPHeaderField: "Authorization") == nil)
            #expect(next.value(forHTTPHeaderField: "Cookie") == nil)
            #expect(next.value(forHTTPHeaderField: "X-Mine") == "here")
        }
    }

    @Test("A delegate can replace the request of a redirect to another scheme")
    func delegateCanChooseAnotherRequest() async throws {
        let other = try LoopbackServer { _ in .text("other") }
        let server = try Self.server(Self.callback)
        let elsewhere = URLRequest(url: try other.at("/"))
        let delegate = SessionDelegate { $0.redirect = { $2(elsewhere) } }
        let (data, _) = try await URLSession.test()
            .data(from: server.at("/"), delegate: delegate)
        #expect(String(decoding: data, as: UTF8.self) == "other")
    }

    @Test("A URLProtocol loads the URL of a followed redirect to its scheme")
    func protocolLoadsTheOtherScheme() async throws {
        let target = try ScriptedMock.url(scheme: "myapp") { $0.answer("app") }
        let server = try Self.server(target.absoluteString)
        let journal = TaskJournal()
        let mocks = MockSession(delegate: journal)
        let url = try #require(URL(string: server.url))
        let task = mocks.session.dataTask(with: url)
        task.resume()
        let expected = ["redirect 302", "response 200", "data app", "metrics", "completed"]
        let entries = try await journal.entriesToEnd()
        #expect(entries == expected)
        #expect(task.currentRequest?.url == target)
    }
}
