import Foundation

/// A protocol that answers requests of the scheme `canned` in the process.
///
/// Tests of user programs use such a protocol in place of a server. The path selects the answer.
final class CannedProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool {
        request.url?.scheme == "canned"
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        var request = request
        request.setValue("yes", forHTTPHeaderField: "X-Canonical")
        return request
    }

    override class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool {
        a.url == b.url
    }

    override func startLoading() {
        guard let url = request.url else { return fail(.badURL) }
        switch url.path {
        case "/failure": fail(.cannotFindHost)
        case "/silence": break
        case "/moved": redirect(from: url)
        case "/challenge": challenge()
        case "/cached": answerFromCache(url)
        default: answer(url)
        }
    }

    override func stopLoading() {}

    private func fail(_ code: URLError.Code) {
        client?.urlProtocol(self, didFailWithError: URLError(code))
    }

    private func head(_ url: URL, status: Int = 200) -> HTTPURLResponse? {
        HTTPURLResponse(
            url: url,
            statusCode: status,
            httpVersion: "HTTP/1.1",
            headerFields: [
                "X-Canonical": request.value(forHTTPHeaderField: "X-Canonical") ?? "no",
                "X-Property": Self.property(forKey: "mark", in: request) as? String ?? "none",
            ]
        )
    }

    private func answer(_ url: URL) {
        guard let head = head(url) else { return fail(.badServerResponse) }
        client?.urlProtocol(self, didReceive: head, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data("canned ".utf8))
        client?.urlProtocol(self, didLoad: Data((request.httpMethod ?? "none").utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    private func redirect(from url: URL) {
        guard let head = head(url, status: 302), let target = URL(string: "canned://host/there")
        else { return fail(.badServerResponse) }
        client?.urlProtocol(
            self,
            wasRedirectedTo: URLRequest(url: target),
            redirectResponse: head
        )
    }

    private func challenge() {
        let challenge = URLAuthenticationChallenge(
            protectionSpace: SurfaceScript.space("canned"),
            proposedCredential: nil,
            previousFailureCount: 0,
            failureResponse: nil,
            error: nil,
            sender: ChallengeSender(
                Stage(base: URL(fileURLWithPath: "/"), transcript: Transcript())
            )
        )
        client?.urlProtocol(self, didReceive: challenge)
        client?.urlProtocol(self, didCancel: challenge)
    }

    private func answerFromCache(_ url: URL) {
        let response = URLResponse(
            url: url,
            mimeType: "text/plain",
            expectedContentLength: 6,
            textEncodingName: nil
        )
        let kept =
            cachedResponse ?? CachedURLResponse(response: response, data: Data("cached".utf8))
        client?.urlProtocol(self, cachedResponseIsValid: kept)
        client?.urlProtocol(
            self,
            didReceive: kept.response,
            cacheStoragePolicy: .notAllowed
        )
        client?.urlProtocol(self, didLoad: kept.data)
        client?.urlProtocolDidFinishLoading(self)
    }
}
