internal import CurlURLSession
internal import Foundation
internal import TestSupport

/// Creates and invalidates sessions.
extension SessionProbe {
    /// Creates and invalidates `count` sessions. Prints what the process retains of them.
    func sessions(_ count: Int) async throws {
        // Warms up: the process allocates some things once and keeps them.
        for number in 0..<400 { try await useOneSession(ofKind: number) }
        try await report("before")
        for number in 0..<count { try await useOneSession(ofKind: number) }
        try await report("after")
    }

    /// Creates, uses and invalidates one session, of four kinds.
    private func useOneSession(ofKind number: Int) async throws {
        let end = Invalidation()
        let queue = number.isMultiple(of: 2) ? nil : OperationQueue()
        let session = URLSession(configuration: .ephemeral, delegate: end, delegateQueue: queue)
        switch number % 4 {
        case 0:
            _ = try await session.data(from: url)
            session.finishTasksAndInvalidate()
        case 1:
            // Tasks in flight.
            for _ in 0..<3 { session.dataTask(with: url).resume() }
            session.invalidateAndCancel()
        case 2:
            // A task that was never resumed.
            _ = session.downloadTask(with: url)
            session.invalidateAndCancel()
        default:
            // A session that is released without being invalidated.
            try await release()
            session.invalidateAndCancel()
        }
        try await end.isOver.wait { $0 ? () : nil }
    }

    private func release() async throws {
        let session = session()
        _ = try await session.data(from: url)
    }

    private func report(_ moment: String) async throws {
        // Session threads end by themselves; the parent process sets the time limit.
        try await ProcessFacts.threadsEnd(namePrefix: "curl-loop")
        print("\(moment).descriptors=\(ProcessFacts.openDescriptorCount)")
        print("\(moment).threads=\(ProcessFacts.threadCount)")
        print("\(moment).memory=\(ProcessFacts.residentBytes)")
    }
}

/// Records that its session has become invalid.
private final class Invalidation: NSObject, URLSessionDelegate {
    let isOver = Watched(false)

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        isOver.update { $0 = true }
    }
}
