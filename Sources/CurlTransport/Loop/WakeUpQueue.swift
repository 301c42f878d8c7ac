internal import Synchronization

/// What one turn of a loop has to wake, put together so that it can be woken in one go.
///
/// Each resumed task is a job for the thread pool. Handed over one by one, a thread of the pool wakes
/// for the first, is done with it before the next comes, and sleeps again: a change of threads for
/// each response. So beyond a few, one job is handed over, which resumes them all.
final class WakeUpQueue: Sendable {
    private let wakeUps = Mutex<[@Sendable () -> Void]>([])

    /// So many are resumed from the loop itself, which saves a lone response the way through a job.
    private static let fewest = 4

    /// On the loop's thread.
    func append(_ wakeUp: @escaping @Sendable () -> Void) {
        wakeUps.withLock { $0.append(wakeUp) }
    }

    /// On the loop's thread, at the end of a turn.
    func run() {
        let due = wakeUps.withLock { wakeUps in
            defer { if !wakeUps.isEmpty { wakeUps = [] } }
            return wakeUps
        }
        if due.count < Self.fewest {
            for wakeUp in due { wakeUp() }
        } else {
            Task.detached { for wakeUp in due { wakeUp() } }
        }
    }
}
