internal import CurlURLSession
internal import Foundation

// What retriers say of requests that can't be made.

extension HTTPSessionManager {
    /// Makes a request, again as long as a retrier wants that.
    ///
    /// - Throws: Why it can't be made, or what a retrier tells in the place of that.
    func made(
        _ interceptor: (any RequestInterceptor)?,
        _ make: () throws -> URLRequest
    ) async throws -> URLRequest {
        var retryCount = 0
        while true {
            do {
                return try make()
            } catch {
                core.tellDidFailToCreateRequest(error)
                guard let retrier = Interceptor.joined(core.read(\.interceptor), interceptor)
                else { throw error }
                let attempt = RequestAttempt(manager: self, task: nil, retryCount: retryCount)
                switch await retrier.retry(attempt, dueTo: error) {
                case .doNotRetry: throw error
                case .doNotRetryWithError(let replacement): throw replacement
                case .retry: break
                case .retryWithDelay(let delay):
                    // No longer than what every clock can hold.
                    try? await Task.sleep(for: .seconds(delay > 0 ? min(delay, 1e9) : 0))
                }
                if Task.isCancelled { throw URLError(.cancelled) }
                retryCount += 1
            }
        }
    }

    /// Makes a request of which nothing is left should that fail: all that retriers can do then is to tell
    /// another error.
    func asked(_ make: () throws -> URLRequest) async throws -> URLRequest {
        do {
            return try make()
        } catch {
            core.tellDidFailToCreateRequest(error)
            throw await replacement(of: error)
        }
    }

    /// Asks retriers about a request that couldn't be made, of whose parameters nothing is left.
    func asked(about error: any Error, _ told: @escaping @Sendable (any Error) -> Void) {
        core.tellDidFailToCreateRequest(error)
        guard core.read(\.interceptor) != nil else { return told(error) }
        Task { told(await replacement(of: error)) }
    }

    /// What is told in the place of why a request can't be made.
    private func replacement(of error: any Error) async -> any Error {
        guard let interceptor = core.read(\.interceptor) else { return error }
        let attempt = RequestAttempt(manager: self, task: nil, retryCount: 0)
        let result = await interceptor.retry(attempt, dueTo: error)
        if case .doNotRetryWithError(let other) = result { return other }
        return error
    }
}
