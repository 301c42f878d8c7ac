internal import CurlURLSession
internal import Dispatch
internal import Foundation

// How the requests of an HTTP manager are made, and what becomes of those that can't be.

extension HTTPSessionManager {
    /// Makes a request with the serializer, and gives it headers of its own.
    ///
    /// - Parameter make: Is given the serializer, and an absolute URL.
    func request(
        _ urlString: String,
        _ headers: HTTPHeaders?,
        _ make: (HTTPRequestSerializer, String) throws -> URLRequest
    ) throws -> URLRequest {
        var request = try make(requestSerializer, absolute(urlString))
        for header in headers ?? [] {
            request.setValue(header.value, forHTTPHeaderField: header.name)
        }
        return request
    }

    func formRequest(
        _ urlString: String,
        _ parameters: Any?,
        _ headers: HTTPHeaders?,
        _ block: ((any MultipartFormData) throws -> Void)?
    ) throws -> URLRequest {
        try request(urlString, headers) { serializer, url in
            try serializer.multipartFormRequest(
                withMethod: .post,
                urlString: url,
                parameters: parameters,
                constructingBodyWith: block
            )
        }
    }

    private func absolute(_ urlString: String) throws -> String {
        let base = baseURL
        if urlString.isEmpty, let base { return base.absoluteString }
        guard let url = URL(string: urlString, relativeTo: base) else {
            throw URLRequestSerializationError.invalidURL(urlString)
        }
        return url.absoluteString
    }

    /// Tells that there is no request, after the method that was to make it has returned.
    func fail(with error: any Error, _ failure: FailureHandler?) {
        asked(about: error) { [core] error in
            guard let failure else { return }
            if let queue = core.read(\.completionQueue) {
                queue.async { failure(nil, error) }
            } else {
                core.mainQueue.async(group: DispatchGroup(), isAwaited: true) {
                    failure(nil, error)
                }
            }
        }
    }
}
