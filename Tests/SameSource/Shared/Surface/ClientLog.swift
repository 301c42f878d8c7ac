import Foundation

/// The client of a protocol without a session; logs its calls.
final class ClientLog: NSObject, URLProtocolClient {
    private let stage: Stage

    init(_ stage: Stage) {
        self.stage = stage
    }

    func urlProtocol(
        _ protocol: URLProtocol,
        wasRedirectedTo request: URLRequest,
        redirectResponse: URLResponse
    ) {
        stage.log("redirected to \(request.url?.path ?? "nowhere")")
    }

    func urlProtocol(
        _ protocol: URLProtocol,
        cachedResponseIsValid cachedResponse: CachedURLResponse
    ) {
        stage.log("valid: \(cachedResponse.data.count) bytes")
    }

    func urlProtocol(
        _ protocol: URLProtocol,
        didReceive response: URLResponse,
        cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
        stage.log("response of \(response.url?.path ?? "nowhere"), policy \(policy.rawValue)")
    }

    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) {
        stage.log("data: \(String(decoding: data, as: UTF8.self))")
    }

    func urlProtocolDidFinishLoading(_ protocol: URLProtocol) {
        stage.log("finished")
    }

    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) {
        stage.log("failed: \(stage.text(of: error))")
    }

    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
        stage.log("challenge of \(challenge.protectionSpace.host)")
    }

    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {
        stage.log("no challenge of \(challenge.protectionSpace.host)")
    }
}
