internal import CurlURLSession
internal import Dispatch
internal import Foundation
internal import TestSupport

extension SessionProbe {
    /// Has all threads of Swift's tasks blocked, and loads by handlers meanwhile; tells how many were
    /// called.
    func starve() {
        let never = DispatchSemaphore(value: 0)
        // More than there are threads, so that no other task has its turn.
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
        // The threads of sessions that nobody has any more are joined by a task, which has no turn here.
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

/// Never answers whether a redirect is to be followed.
private final class SilentDelegate: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {}
}
