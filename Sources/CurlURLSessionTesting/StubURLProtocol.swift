internal import CurlTransport
internal import CurlURLSession
internal import Foundation
internal import Synchronization

/// Loads requests with the exchanger of their session's configuration.
final class StubURLProtocol: URLProtocol {
    private let running = Mutex<Task<Void, Never>?>(nil)

    override class func canInit(with request: URLRequest) -> Bool {
        let scheme = request.url?.scheme?.lowercased()
        return (scheme == "http" || scheme == "https")
            && StubRegistry.shared.exchanger(for: request) != nil
    }

    override func startLoading() {
        guard let client, let url = request.url,
            let exchanger = StubRegistry.shared.exchanger(for: request)
        else { return super.startLoading() }
        do {
            let load = try StubLoad(request, url, exchanger, client)
            running.withLock { $0 = load.start() }
        } catch {
            let failure = (error as? TransportError).map { URLError($0, url: url) }
            client.urlProtocol(self, didFailWithError: failure ?? error)
        }
    }

    override func stopLoading() {
        let task = running.withLock { $0.take() }
        task?.cancel()
    }
}
