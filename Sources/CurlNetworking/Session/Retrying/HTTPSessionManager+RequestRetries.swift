internal import CurlURLSession
internal import Foundation

// Retries of requests that can't be created.

extension HTTPSessionManager {
    /// Creates a request, and repeats that while a retrier requests it.
    ///
    /// - Throws: The error of creating the request, or a retrier's replacement for it.
    func made(
        _ interceptor: (any RequestInterceptor)?,
        _ make: () throws -> URLRequest
    ) async throws -> URLRequest {
        var retryCount = 0
        while true {
            do {
                return try make()
            } catch {
                core.notify(.didFailToCreateRequest(error: error))
                guard let retrier = Interceptor.joined(core.read(\.interceptor), interceptor)
                else { throw error }
                let attempt = RequestAttempt(manager: self, task: nil, retryCount: retryCount)
                switch await retrier.retry(attempt, dueTo: error) {
                case .doNotRetry: throw error
                case .doNotRetryWithError(let replacement): throw replacement
                case .retry: break
                case .retryWithDelay(let delay):
                    // Limited to 1e9 seconds, which every clock can represent.
                    try? await Task.sleep(for: .seconds(delay > 0 ? min(delay, 1e9) : 0))
                }
                if Task.isCancelled { throw URLError(.cancelled) }
                retryCount += 1
            }
        }
    }

    /// Creates a request once.
    ///
    /// If that fails, the parameters are gone, and retriers can only replace the error.
    func asked(_ make: () throws -> URLRequest) async throws -> URLRequest {
        do {
            return try make()
        } catch {
            core.notify(.didFailToCreateRequest(error: error))
            throw await replacement(of: error)
        }
    }

    /// Reports the error of a request whose parameters are gone.
    ///
    /// A retrier may replace the error.
    func asked(about error: any Error, _ completion: @escaping @Sendable (any Error) -> Void) {
        core.notify(.didFailToCreateRequest(error: error))
        guard core.read(\.interceptor) != nil else { return completion(error) }
        Task { completion(await replacement(of: error)) }
    }

    /// The error that a retrier returns instead of a given one.
    private func replacement(of error: any Error) async -> any Error {
        guard let interceptor = core.read(\.interceptor) else { return error }
        let attempt = RequestAttempt(manager: self, task: nil, retryCount: 0)
        let result = await interceptor.retry(attempt, dueTo: error)
        if case .doNotRetryWithError(let other) = result { return other }
        return error
    }
}
