internal import Glibc

/// Waits for a condition that no event announces, such as a run's progress.
package enum Inspection {
    /// The pause between two checks, in milliseconds.
    private static let pause: Int32 = 5

    /// Returns when `condition` holds, which it checks on its own thread. The thread pauses between
    /// two checks, so that waiting takes no processor time from the awaited work.
    ///
    /// Prefer `Watched` or `FolderWatch` where an event exists. Throws `CancellationError` when the
    /// waiting task is cancelled.
    package static func wait(until condition: @escaping @Sendable () -> Bool) async throws {
        let isCancelled = Watched(false)
        try await withTaskCancellationHandler {
            try await NativeThread.run("inspection") {
                while !isCancelled.read({ $0 }), !condition() { poll(nil, 0, pause) }
            }
        } onCancel: {
            isCancelled.update { $0 = true }
        }
        try Task.checkCancellation()
    }
}
