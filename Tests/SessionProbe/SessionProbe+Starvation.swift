internal import CurlURLSession
internal import Dispatch
internal import Foundation
internal import TestSupport

extension SessionProbe {
    /// Loads with completion handlers while all threads of Swift's tasks are blocked. Prints how
    /// many handlers were called.
    func starve() {
        let never = DispatchSemaphore(value: 0)
        // More than there are threads, so that no other task can run.
        for _ in 0..<256 { Task.detached { Self.block(never) } }
        let called = DispatchSemaphore(value: 0)
        let session = session()
        session.dataTask(with: url) { data, _, _ in
            if data == Data("end".utf8) { called.signal() }
        }.resume()
        let limited = URLSession(
            configuration: .ephemeral.limited(to: 1),
            delegate: SilentDelegate(),
            delegateQueue: nil
        )
        limited.dataTask(with: url) { _, _, error in
            if (error as? URLError)?.code == .timedOut { called.signal() }
        }.resume()
        let deadline = DispatchTime.now() + 60
        let count = (0..<2).count { _ in called.wait(timeout: deadline) == .success }
        print("called=\(count)")
        // A task joins the threads of released sessions, and no task can run here.
        withExtendedLifetime((session, limited)) { exit(0) }
    }

    private static func block(_ semaphore: DispatchSemaphore) {
        semaphore.wait()
    }
}

extension URLSessionConfiguration {
    fileprivate func limited(to seconds: TimeInterval) -> URLSessionConfiguration {
        timeoutIntervalForResource = seconds
        return self
    }
}

/// Never answers whether to follow a redirect.
private final class SilentDelegate: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {}
}
