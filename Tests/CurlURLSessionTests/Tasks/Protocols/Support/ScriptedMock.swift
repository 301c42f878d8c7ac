import CurlURLSession
import Foundation
import Synchronization
import TestSupport

/// A protocol that runs a test's closures for one host.
///
/// Each URL has its own host, so that parallel tests don't affect each other.
final class ScriptedMock: URLProtocol, @unchecked Sendable {
    typealias Action = @Sendable (ScriptedMock) -> Void

    private struct Script: Sendable {
        let start: Action
        let stop: Action
    }

    private static let scripts = Mutex<[String: Script]>([:])

    /// A URL whose loads run the given closures.
    static func url(
        scheme: String = "https",
        path: String = "/",
        stop: @escaping Action = { _ in },
        start: @escaping Action
    ) throws -> URL {
        let host = UUID().uuidString.lowercased() + ".invalid"
        scripts.withLock { $0[host] = Script(start: start, stop: stop) }
        guard let url = URL(string: "\(scheme)://\(host)\(path)") else {
            throw URLError(.badURL)
        }
        return url
    }

    private static func script(_ request: URLRequest) -> Script? {
        request.url?.host().flatMap { host in scripts.withLock { $0[host] } }
    }

    override class func canInit(with request: URLRequest) -> Bool { script(request) != nil }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() { Self.script(request)?.start(self) }

    override func stopLoading() { Self.script(request)?.stop(self) }

    private let kept = Mutex<[Witness]>([])

    /// Keeps a witness until the protocol is deallocated.
    func keep(_ witness: Witness) {
        kept.withLock { $0.append(witness) }
    }

    // Short forms of the client's methods.

    func respond(
        _ status: Int = 200,
        headers: [String: String] = [:],
        policy: URLCache.StoragePolicy = .notAllowed
    ) {
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url,
                statusCode: status,
                httpVersion: "HTTP/1.1",
                headerFields: headers
            )
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: policy)
    }

    func load(_ text: String) {
        client?.urlProtocol(self, didLoad: Data(text.utf8))
    }

    func finish() {
        client?.urlProtocolDidFinishLoading(self)
    }

    func fail(_ error: any Error) {
        client?.urlProtocol(self, didFailWithError: error)
    }

    func answer(_ text: String, status: Int = 200) {
        respond(status)
        load(text)
        finish()
    }
}
