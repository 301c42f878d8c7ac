internal import CurlURLSession
internal import Foundation
internal import TestSupport

/// Sessions that come and go.
extension SessionProbe {
    /// Makes and invalidates so many sessions, and tells what is left of them.
    func sessions(_ count: Int) async throws {
        // What the process makes once and keeps.
        for number in 0..<400 { try await live(number) }
        try await tell("before")
        for number in 0..<count { try await live(number) }
        try await tell("after")
    }

    /// One session's life, of four that there are.
    private func live(_ number: Int) async throws {
        let end = Invalidation()
        let queue = number.isMultiple(of: 2) ? nil : OperationQueue()
        let session = URLSession(configuration: .ephemeral, delegate: end, delegateQueue: queue)
        switch number % 4 {
        case 0:
            _ = try await session.data(from: url)
            session.finishTasksAndInvalidate()
        case 1:
            // Under way.
            for _ in 0..<3 { session.dataTask(with: url).resume() }
            session.invalidateAndCancel()
        case 2:
            // Never begun.
            _ = session.downloadTask(with: url)
            session.invalidateAndCancel()
        default:
            // Nobody invalidates it.
            try await letGo()
            session.invalidateAndCancel()
        }
        try await end.isOver.wait { $0 ? () : nil }
    }

    private func letGo() async throws {
        let session = session()
        _ = try await session.data(from: url)
    }

    private func tell(_ moment: String) async throws {
        // By themselves; a time limit is the parent's.
        try await ProcessFacts.threadsEnd(namePrefix: "curl-loop")
        print("\(moment).descriptors=\(ProcessFacts.openDescriptorCount)")
        print("\(moment).threads=\(ProcessFacts.threadCount)")
        print("\(moment).memory=\(ProcessFacts.residentBytes)")
    }
}

/// Learns that its session has become invalid.
private final class Invalidation: NSObject, URLSessionDelegate {
    let isOver = Watched(false)

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        isOver.update { $0 = true }
    }
}
