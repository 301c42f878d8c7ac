import CurlURLSession
import Foundation
import TestSupport
import Testing

/// Records the threads on which its methods are called.
private final class ThreadMock: URLProtocol {
    static let host = UUID().uuidString.lowercased() + ".invalid"
    static let threads = EventRecorder<String>()

    private static func note(_ what: String) {
        let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
        threads.record("\(what) \(name ?? "")")
    }

    override class func canInit(with request: URLRequest) -> Bool {
        guard request.url?.host() == host else { return false }
        note("canInit")
        return true
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        note("canonicalRequest")
        return request
    }

    override func startLoading() {
        Self.note("startLoading")
        client?.urlProtocol(self, didLoad: Data("mock".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {
        Self.note("stopLoading")
    }
}

@Suite(.timeLimit(.minutes(10)))
struct ProtocolThreadTests {
    @Test func protocolIsNeverCalledOnAnEventLoop() async throws {
        let server = try LoopbackServer { _ in .redirect(to: "https://\(ThreadMock.host)/") }
        let mocks = MockSession([ThreadMock.self])
        // The redirect arrives on an event loop's thread.
        for text in [server.url, "https://\(ThreadMock.host)/"] {
            let url = try #require(URL(string: text))
            #expect(try await mocks.text(url).0 == "mock")
        }
        let calls = try await ThreadMock.threads.wait(count: 8)
        #expect(calls.count == 8)
        for name in ["canInit", "canonicalRequest", "startLoading", "stopLoading"] {
            #expect(calls.filter { $0.hasPrefix(name + " ") }.count == 2)
        }
        #expect(!calls.contains { $0.contains("curl-loop") }, "\(calls)")
    }
}
