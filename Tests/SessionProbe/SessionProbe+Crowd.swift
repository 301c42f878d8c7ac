internal import CurlURLSession
internal import Foundation
internal import TestSupport

extension SessionProbe {
    /// Cancels `count` tasks that wait for one connection, the last one first. Prints the processor
    /// time for each in nanoseconds.
    func crowd(_ count: Int) async throws {
        // Warms up: the process allocates some things once and keeps them.
        try await comeAndGo(100)
        let before = Self.processorTime
        try await comeAndGo(count)
        print("nanoseconds=\((Self.processorTime - before) * 1000 / max(1, count))")
    }

    private func comeAndGo(_ count: Int) async throws {
        let session = session { $0.httpMaximumConnectionsPerHost = 1 }
        let ended = Watched(0)
        let tasks = (0..<count).map { _ in
            session.dataTask(with: url) { _, _, _ in ended.update { $0 += 1 } }
        }
        for task in tasks { task.resume() }
        for task in tasks.reversed() { task.cancel() }
        try await ended.wait { $0 == count ? () : nil }
        session.invalidateAndCancel()
    }
}
