import CurlTransport
import Posix
import Synchronization

/// Counts the bytes of large bodies in flight whose length is known. Thread-safe.
final class LargeBodies: Sendable {
    /// The shortest body that is counted: 1 MiB.
    static let shortest: Int64 = 1 << 20

    /// What is known of one body.
    fileprivate final class Entry: Sendable {
        let length: Int64
        let begun: MonotonicTime
        let received = Atomic<Int64>(0)

        init(length: Int64, begun: MonotonicTime) {
            self.length = length
            self.begun = begun
        }

        /// The remaining time at the mean speed so far; `nil` if nothing has arrived.
        func remaining(_ received: Int64, at now: MonotonicTime) -> Duration? {
            let elapsed = now.nanoseconds(since: begun)
            guard received > 0, elapsed > 0 else { return nil }
            let seconds = Double(elapsed) / 1e9 * Double(max(0, length - received))
            return .seconds(min(seconds / Double(received), 1e9))
        }
    }

    private let bodies = Mutex<[ObjectIdentifier: Entry]>([:])

    /// The bodies in flight, and their bytes.
    var progress: LargeBodyProgress { progress(at: .now) }

    func progress(at now: MonotonicTime) -> LargeBodyProgress {
        let entries = bodies.withLock { Array($0.values) }
        var progress = LargeBodyProgress()
        progress.count = entries.count
        for entry in entries {
            let received = entry.received.load(ordering: .relaxed)
            progress.received += received
            progress.total += entry.length
            guard let remaining = entry.remaining(received, at: now) else { continue }
            progress.longestRemaining = max(remaining, progress.longestRemaining ?? .zero)
        }
        return progress
    }

    /// Begins to count the body of a response; `nil` if it is short or its length isn't known.
    ///
    /// - Parameters:
    ///   - keepsEncoding: Whether the body isn't decoded. Otherwise the length of an encoded body
    ///     isn't known.
    ///   - limit: The number of bytes that are taken, if fewer than the server sends.
    func body(
        of head: ResponseHead,
        keepsEncoding: Bool,
        limit: Int64?,
        at now: MonotonicTime = .now
    ) -> LargeBody? {
        guard (200..<300).contains(head.statusCode),
            let length = head.contentLength, length >= Self.shortest, length < 1 << 50,
            keepsEncoding || !head.isEncoded
        else { return nil }
        return LargeBody(Entry(length: min(length, limit ?? length), begun: now), in: self)
    }

    fileprivate func begin(_ entry: Entry) {
        bodies.withLock { $0[ObjectIdentifier(entry)] = entry }
    }

    fileprivate func end(_ entry: Entry) {
        bodies.withLock { $0[ObjectIdentifier(entry)] = nil }
    }
}

/// A large body in flight. It ends when it is released.
final class LargeBody: Sendable {
    private let entry: LargeBodies.Entry
    private let bodies: LargeBodies

    fileprivate init(_ entry: LargeBodies.Entry, in bodies: LargeBodies) {
        self.entry = entry
        self.bodies = bodies
        bodies.begin(entry)
    }

    /// Counts the next bytes.
    func receive(_ count: Int) { entry.received.wrappingAdd(Int64(count), ordering: .relaxed) }

    deinit { bodies.end(entry) }
}
