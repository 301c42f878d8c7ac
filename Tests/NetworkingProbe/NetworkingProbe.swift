internal import CurlNetworking
internal import Dispatch
internal import Foundation
internal import TestSupport

/// What the probe can do.
struct NetworkingProbe: Sendable {
    let url: URL

    /// As many as there are at work for one request at a time.
    private static let fewThreads = 16

    /// Where completions are called.
    let queue = DispatchQueue(label: "completions")

    func configuration() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        // Other processes' tests run meanwhile: nothing must fail for want of time.
        configuration.timeoutIntervalForRequest = 600
        // A cache is to grow.
        configuration.urlCache = nil
        return configuration
    }

    func manager(
        _ configure: (URLSessionConfiguration) -> Void = { _ in }
    ) -> HTTPSessionManager {
        let configuration = configuration()
        configure(configuration)
        let manager = HTTPSessionManager(baseURL: url, sessionConfiguration: configuration)
        manager.completionQueue = queue
        return manager
    }

    /// Says what the process has, when notifications that wait for the main queue have been posted, and
    /// Dispatch has ended the threads that it has no use for: each keeps some of what was freed on it.
    func tell(_ moment: String) async throws {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume() }
        }
        // A time limit is the parent's.
        try await ProcessFacts.threadsEnd(butFor: Self.fewThreads)
        print("\(moment).descriptors=\(ProcessFacts.openDescriptorCount)")
        print("\(moment).connections=\(ProcessFacts.connectionCount(toPort: url.port ?? 0))")
        print("\(moment).threads=\(ProcessFacts.threadCount)")
        print("\(moment).memory=\(ProcessFacts.residentBytes)")
        print("\(moment).allocated=\(ProcessFacts.allocatedBytes)")
    }
}
