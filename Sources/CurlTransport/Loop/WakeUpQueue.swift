internal import Synchronization

/// Holds tasks that wait for something of a loop.
protocol Waker: AnyObject, Sendable {
    /// Resumes those whose wait is over, on any thread.
    func wake()
}

/// What one turn of a loop has to wake, put together so that it can be woken in one go.
///
/// Each resumed task is a job for the thread pool. Handed over one by one, a thread of the pool wakes
/// for the first, is done with it before the next comes, and sleeps again: a change of threads for
/// each response. So beyond a few, one job is handed over, which resumes them all.
final class WakeUpQueue: Sendable {
    private let wakers = Mutex<[any Waker]>([])

    /// So many are resumed from the loop itself, which saves a lone response the way through a job.
    private static let fewest = 4

    /// On the loop's thread.
    func append(_ waker: any Waker) {
        wakers.withLock { $0.append(waker) }
    }

    /// On the loop's thread, at the end of a turn.
    func run() {
        let due = wakers.withLock { wakers in
            defer { if !wakers.isEmpty { wakers = [] } }
            return wakers
        }
        if due.count < Self.fewest {
            for waker in due { waker.wake() }
        } else {
            Task.detached { for waker in due { waker.wake() } }
        }
    }
}
