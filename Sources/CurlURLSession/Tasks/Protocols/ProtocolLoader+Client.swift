internal import CurlTransport
internal import Foundation

// The calls of the protocol. The `protocol` argument is ignored: a load has one protocol object.

extension ProtocolLoader: URLProtocolClient {
    func urlProtocol(
        _ protocol: URLProtocol,
        didReceive response: URLResponse,
        cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
        note { load, messages in
            guard let early = load.respond() else { return }
            messages.append(.response(response, policy))
            for data in early { messages.append(.data(data)) }
        }
    }

    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) {
        note { load, messages in
            if load.load(data) { messages.append(.data(data)) }
        }
    }

    func urlProtocolDidFinishLoading(_ protocol: URLProtocol) {
        end { load, messages in
            switch load.finish() {
            case .ignored:
                return false
            case .finished:
                break
            case .unanswered(let data):
                messages.append(.response(unsaidResponse, .notAllowed))
                for data in data { messages.append(.data(data)) }
            }
            messages.append(.end(nil))
            return true
        }
    }

    /// The substitute for a missing response. Only its URL is known.
    private var unsaidResponse: URLResponse {
        URLResponse(
            url: context.request.url ?? URL(filePath: "/"),
            mimeType: nil,
            expectedContentLength: -1,
            textEncodingName: nil
        )
    }

    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) {
        fail(.other(error))
    }

    func fail(_ failure: LoadOutcome.Failure) {
        end { load, messages in
            guard load.fail() else { return false }
            messages.append(.end(failure))
            return true
        }
    }

    func urlProtocol(
        _ protocol: URLProtocol,
        wasRedirectedTo request: URLRequest,
        redirectResponse: URLResponse
    ) {
        end { load, messages in
            switch load.redirect() {
            case .ignored:
                return false
            case .followed:
                messages.append(.redirect(request, redirectResponse))
                messages.append(.end(nil))
            case .tooLate:
                let error = URLError(
                    .badServerResponse,
                    url: context.request.url,
                    reason: "\(context.type) redirected after its response; redirect before it."
                )
                messages.append(.end(.other(error)))
            }
            return true
        }
    }

    func urlProtocol(
        _ protocol: URLProtocol,
        cachedResponseIsValid cachedResponse: CachedURLResponse
    ) {
        end { load, messages in
            guard load.useCachedResponse() else { return false }
            messages.append(.response(cachedResponse.response, .notAllowed))
            if !cachedResponse.data.isEmpty { messages.append(.data(cachedResponse.data)) }
            messages.append(.end(nil))
            return true
        }
    }

    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
        note { load, messages in
            if load.challenge(ObjectIdentifier(challenge)) {
                messages.append(.challenge(challenge))
            }
        }
    }

    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {
        note { load, _ in _ = load.takeChallenge(ObjectIdentifier(challenge)) }
    }
}
