internal import Posix

/// Measures how busy a loop is, in windows. A pure value of one loop, without clock.
///
/// A loop is busy except while it waits for events.
struct LoadMeter {
    /// The shortest window, in nanoseconds.
    static let windowLength: Int64 = 20_000_000

    private var windowStart: MonotonicTime
    private var busyStart: MonotonicTime
    private var busy: Int64 = 0

    init(at now: MonotonicTime) {
        windowStart = now
        busyStart = now
    }

    /// Records that the loop begins to wait for events.
    mutating func beginWait(at now: MonotonicTime) {
        busy += now.nanoseconds(since: busyStart)
    }

    /// Records the end of the wait. Returns the window that ends with it, if it was long enough.
    mutating func endWait(at now: MonotonicTime) -> LoadWindow? {
        busyStart = now
        let elapsed = now.nanoseconds(since: windowStart)
        guard elapsed >= Self.windowLength else { return nil }
        defer {
            windowStart = now
            busy = 0
        }
        return LoadWindow(percent: Int(busy * 100 / elapsed), elapsed: elapsed)
    }
}

/// How busy a loop was in a window.
struct LoadWindow: Equatable, Sendable {
    /// The part of the time in which the loop didn't wait.
    let percent: Int
    /// In nanoseconds.
    let elapsed: Int64

    /// From this on, a loop is overloaded.
    static let overload = 85

    /// Below this, a loop has room for the transfers of an overloaded one.
    ///
    /// It is much lower than ``overload``, so that the loop doesn't become overloaded at once, and
    /// that the transfers that leave it again fit into one loop.
    static let room = 60
}

/// Decides when a loop is overloaded. A pure value of one loop, without clock.
struct Overload {
    /// How long a loop is busy before it passes on origins, in nanoseconds.
    static let patience: Int64 = 60_000_000

    /// How long a loop that has passed on an origin waits for the effect, in nanoseconds.
    static let settling: Int64 = 200_000_000

    /// How long the loop has been overloaded. Negative while an origin that was passed on settles.
    private var duration: Int64 = 0

    /// Adds a window. Returns whether the loop has been overloaded for long enough.
    mutating func note(_ window: LoadWindow) -> Bool {
        guard window.percent >= LoadWindow.overload else {
            duration = min(0, duration + window.elapsed)
            return false
        }
        duration += window.elapsed
        guard duration >= Self.patience else { return false }
        duration = 0
        return true
    }

    /// Records that an origin was passed on.
    mutating func settle() {
        duration = -Self.settling
    }
}
