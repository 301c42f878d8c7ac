internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Thousands of tasks of one manager with the same request, which are cancelled or invalidated as
/// they run.
struct TaskStorm {
    let manager: URLSessionManager
    let request: URLRequest
    private static let count = 2000

    /// Cancels every other task while tasks start and end. Each task must complete exactly once.
    ///
    /// - Parameter isRight: Whether a result is allowed.
    func cancelAtAnyTime(
        _ isRight: @escaping @Sendable (Data?, (any Error)?) -> Bool
    ) async throws {
        let counts = Watched([Int](repeating: 0, count: Self.count))
        let over = Watched(0)
        manager.setTaskDidComplete { _, _, _ in over.update { $0 += 1 } }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<Self.count {
                let task = manager.dataTask(with: request) { _, object, error in
                    counts.update { $0[number] += isRight(object as? Data, error) ? 1 : 1000 }
                }
                group.addTask { task.resume() }
                group.addTask {
                    for _ in 0..<number % 7 { await Task.yield() }
                    if number % 2 == 0 { task.cancel() }
                }
                if number % 64 == 63 { await group.waitForAll() }
            }
        }
        try await expectOneEach(counts)
        #expect(over.read { $0 } == Self.count)
        #expect(manager.tasks.isEmpty)
    }

    /// Invalidates the session repeatedly while tasks start. Each task must complete exactly once.
    func invalidateAtAnyTime() async throws {
        let (rounds, share) = (20, 50)
        let counts = Watched([Int](repeating: 0, count: rounds * share))
        for round in 0..<rounds {
            await withTaskGroup(of: Void.self) { group in
                for number in round * share..<(round + 1) * share {
                    group.addTask {
                        manager.dataTask(with: request) { _, _, _ in
                            counts.update { $0[number] += 1 }
                        }.resume()
                    }
                }
                group.addTask {
                    let cancels = round % 2 == 0
                    manager.invalidateSessionCancelingTasks(cancels, resetSession: true)
                }
            }
        }
        try await expectOneEach(counts)
    }

    private func expectOneEach(_ counts: Watched<[Int]>) async throws {
        try await counts.wait { $0.allSatisfy { $0 > 0 } ? () : nil }
        await manager.settle()
        #expect(counts.read { $0.allSatisfy { $0 == 1 } })
    }
}
