internal import CurlNetworking
internal import Foundation

/// What the documentation comments about interceptors and trust show.
struct PolicyComments: Sendable {
    let manager: HTTPSessionManager

    func retryPolicy() {
        // snippet: RetryPolicy.swift/limit
        var policy = RetryPolicy()
        policy.retryLimit = 4
        manager.interceptor = policy
        // end
    }

    static func interceptor(_ url: URL) -> HTTPSessionManager {
        // snippet: RequestInterceptor.swift/interceptor
        let manager = HTTPSessionManager(baseURL: url)
        manager.interceptor = RetryPolicy()
        // end
        return manager
    }

    func adapter(_ tokens: Tokens) {
        // snippet: Interceptor.swift/adapter
        manager.interceptor = Adapter { request, _ in
            var request = request
            request.setValue("Bearer \(await tokens.current)", forHTTPHeaderField: "Authorization")
            return request
        }
        // end
    }

    /// The tokens of a client.
    actor Tokens {
        private(set) var current: String

        init(_ token: String) {
            current = token
        }
    }

    func retrier() {
        // snippet: Interceptor.swift/retrier
        manager.interceptor = Retrier { attempt, _ in
            attempt.statusCode == 401 && attempt.retryCount == 0 ? .retry : .doNotRetry
        }
        // end
    }

    func pins(_ folder: URL) throws {
        // snippet: SecurityPolicy.swift/pins
        let found = try SecurityPolicy.certificates(inDirectory: folder)
        manager.securityPolicy = SecurityPolicy(
            pinningMode: .publicKey,
            withPinnedCertificates: found.certificates
        )
        // end
    }

    func perHost(_ pinned: SecurityPolicy) {
        // snippet: PerHostSecurityPolicy.swift/hosts
        manager.securityPolicy = PerHostSecurityPolicy(policies: [
            "api.example.com": pinned,
            "*.example.com": .default(),
        ])
        // end
    }
}
