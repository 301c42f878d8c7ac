internal import CurlNetworking
internal import Foundation

/// What the page "Retrying" shows.
struct Retrying: Sendable {
    let manager: HTTPSessionManager
    let print: Print

    func policy() {
        // snippet: Retrying/policy
        var policy = RetryPolicy()
        policy.retryLimit = 4
        policy.maximumRetryAfter = 60
        manager.interceptor = policy
        // end
    }

    func once() {
        // snippet: Retrying/once
        manager.interceptor = Retrier { attempt, error in
            attempt.statusCode == 409 && attempt.retryCount == 0
                ? .retryWithDelay(0.1) : .doNotRetry
        }
        // end
    }

    func both(_ token: @escaping @Sendable () async throws -> String) {
        // snippet: Retrying/both
        let authorization = Adapter { request, attempt in
            var request = request
            request.setValue("Bearer \(try await token())", forHTTPHeaderField: "Authorization")
            return request
        }
        manager.interceptor = Interceptor(
            adapters: [authorization],
            retriers: [RetryPolicy()]
        )
        // end
    }

    func task(_ request: URLRequest) {
        // snippet: Retrying/task
        let task = manager.dataTask(with: request) { response, object, error in
            print(object ?? error ?? "nothing")
        }
        manager.setInterceptor(ConnectionLostRetryPolicy(), for: task)
        task.resume()
        // end
    }
}
