internal import CurlNetworking
internal import Dispatch
internal import Foundation
internal import TestSupport

/// The probe's commands.
struct NetworkingProbe: Sendable {
    let url: URL

    /// The number of threads that a process needs for one request at a time.
    private static let fewThreads = 16

    /// The queue that completion handlers are called on.
    let queue = DispatchQueue(label: "completions")

    func configuration() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        // Other processes' tests run at the same time: no request may fail by a timeout.
        configuration.timeoutIntervalForRequest = 600
        // A cache would grow.
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

    /// Prints the process's resources. Before that it waits until pending notifications of the main
    /// queue have been posted, and until Dispatch has ended its idle threads, because each keeps
    /// some freed memory.
    func report(_ moment: String) async throws {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume() }
        }
        // The parent process sets the time limit.
        try await ProcessFacts.threadsEnd(downTo: Self.fewThreads)
        print("\(moment).descriptors=\(ProcessFacts.openDescriptorCount)")
        print("\(moment).connections=\(ProcessFacts.connectionCount(toPort: url.port ?? 0))")
        print("\(moment).threads=\(ProcessFacts.threadCount)")
        print("\(moment).memory=\(ProcessFacts.residentBytes)")
        print("\(moment).allocated=\(ProcessFacts.allocatedBytes)")
    }
}
