import CurlURLSession
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ProtocolRedirectTests {
    /// A URL that redirects to `target`. Records calls of `stopLoading` in `stops`.
    private func redirect(
        to target: URL,
        stops: EventRecorder<String> = EventRecorder(),
        then: @escaping ScriptedMock.Action = { _ in }
    ) throws -> URL {
        try ScriptedMock.url(
            stop: { _ in stops.record("stop") },
            start: { mock in
                guard let url = mock.request.url,
                    let response = HTTPURLResponse(
                        url: url,
                        statusCode: 302,
                        httpVersion: nil,
                        headerFields: ["Location": target.absoluteString]
                    )
                else { return }
                mock.client?.urlProtocol(
                    mock,
                    wasRedirectedTo: URLRequest(url: target),
                    redirectResponse: response
                )
                then(mock)
            }
        )
    }

    @Test func protocolRedirectStartsAnotherLoad() async throws {
        let stops = EventRecorder<String>()
        let target = try ScriptedMock.url { $0.answer("target") }
        let url = try redirect(to: target, stops: stops)
        let journal = TaskJournal()
        let mocks = MockSession(delegate: journal)
        let task = mocks.session.dataTask(with: url)
        task.resume()
        let expected = ["redirect 302", "response 200", "data target", "metrics", "completed"]
        #expect(try await journal.entriesToEnd() == expected)
        #expect(task.originalRequest?.url == url)
        #expect(task.currentRequest?.url == target)
        #expect(task.response?.url == target)
        #expect(try await stops.wait(count: 1) == ["stop"])
    }

    @Test func callsAfterARedirectAreIgnored() async throws {
        let target = try ScriptedMock.url { $0.answer("target") }
        let url = try redirect(to: target) { mock in
            mock.answer("not me")
            mock.fail(CocoaError(.userCancelled))
        }
        #expect(try await MockSession().text(url).0 == "target")
    }

    @Test func refusedRedirectIsTheResponse() async throws {
        let url = try redirect(to: try ScriptedMock.url { $0.answer("target") })
        let journal = TaskJournal(redirected: { _ in nil })
        let mocks = MockSession(delegate: journal)
        let task = mocks.session.dataTask(with: url)
        task.resume()
        let expected = ["redirect 302", "response 302", "metrics", "completed"]
        #expect(try await journal.entriesToEnd() == expected)
        #expect(task.currentRequest?.url == url)
    }

    @Test func delegateCanChangeAProtocolRedirect() async throws {
        let other = try ScriptedMock.url { $0.answer("elsewhere") }
        let url = try redirect(to: try ScriptedMock.url { $0.answer("target") })
        let journal = TaskJournal(redirected: { _ in URLRequest(url: other) })
        let mocks = MockSession(delegate: journal)
        mocks.session.dataTask(with: url).resume()
        #expect(try await journal.entriesToEnd().contains("data elsewhere"))
    }

    @Test func mockCanRedirectToTheNetwork() async throws {
        let server = try LoopbackServer { _ in .text("network") }
        let url = try redirect(to: try #require(URL(string: server.url + "/target")))
        #expect(try await MockSession().text(url).0 == "network")
        #expect(server.requests.map(\.target) == ["/target"])
    }

    @Test func serverCanRedirectToAMock() async throws {
        let target = try ScriptedMock.url { $0.answer("mock") }
        let server = try LoopbackServer { _ in .redirect(to: target.absoluteString) }
        let url = try #require(URL(string: server.url))
        #expect(try await MockSession().text(url).0 == "mock")
    }

    @Test func redirectLoopIsAnError() async throws {
        let url = try ScriptedMock.url { mock in
            let response = HTTPURLResponse(
                url: mock.request.url ?? URL(filePath: "/"),
                statusCode: 302,
                httpVersion: nil,
                headerFields: nil
            )
            guard let response else { return }
            mock.client?.urlProtocol(
                mock,
                wasRedirectedTo: mock.request,
                redirectResponse: response
            )
        }
        let error = await #expect(throws: URLError.self) { try await MockSession().text(url) }
        #expect(error?.code == .httpTooManyRedirects)
    }

    @Test func redirectAfterTheResponseFails() async throws {
        let target = try ScriptedMock.url { $0.answer("target") }
        let url = try ScriptedMock.url { mock in
            mock.respond()
            mock.client?.urlProtocol(
                mock,
                wasRedirectedTo: URLRequest(url: target),
                redirectResponse: URLResponse(
                    url: target,
                    mimeType: nil,
                    expectedContentLength: 0,
                    textEncodingName: nil
                )
            )
        }
        let error = await #expect(throws: URLError.self) { try await MockSession().text(url) }
        #expect(error?.code == .badServerResponse)
    }
}
