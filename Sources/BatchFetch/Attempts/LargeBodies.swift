import CurlTransport
import Synchronization

/// Counts the bytes of large bodies in flight whose length is known. Thread-safe.
final class LargeBodies: Sendable {
    /// The shortest body that is counted: 1 MiB.
    static let shortest: Int64 = 1 << 20

    private let count = Atomic<Int>(0)
    private let received = Atomic<Int64>(0)
    private let total = Atomic<Int64>(0)

    /// The bodies in flight, and their bytes.
    var progress: LargeBodyProgress {
        var progress = LargeBodyProgress()
        progress.count = count.load(ordering: .relaxed)
        progress.received = received.load(ordering: .relaxed)
        progress.total = total.load(ordering: .relaxed)
        return progress
    }

    /// Begins to count the body of a response; `nil` if it is short or its length isn't known.
    ///
    /// - Parameters:
    ///   - keepsEncoding: Whether the body isn't decoded. Otherwise the length of an encoded body
    ///     isn't known.
    ///   - limit: The number of bytes that are taken, if fewer than the server sends.
    func body(of head: ResponseHead, keepsEncoding: Bool, limit: Int64?) -> LargeBody? {
        guard (200..<300).contains(head.statusCode),
            let length = head.contentLength, length >= Self.shortest, length < 1 << 50,
            keepsEncoding || !head.isEncoded
        else { return nil }
        return LargeBody(of: min(length, limit ?? length), in: self)
    }

    fileprivate func begin(_ length: Int64) {
        count.wrappingAdd(1, ordering: .relaxed)
        total.wrappingAdd(length, ordering: .relaxed)
    }

    fileprivate func receive(_ count: Int64) { received.wrappingAdd(count, ordering: .relaxed) }

    fileprivate func end(_ length: Int64, received count: Int64) {
        self.count.wrappingSubtract(1, ordering: .relaxed)
        received.wrappingSubtract(count, ordering: .relaxed)
        total.wrappingSubtract(length, ordering: .relaxed)
    }
}

/// A large body in flight. It ends when it is released.
final class LargeBody: Sendable {
    private let length: Int64
    private let received = Atomic<Int64>(0)
    private let bodies: LargeBodies

    fileprivate init(of length: Int64, in bodies: LargeBodies) {
        self.length = length
        self.bodies = bodies
        bodies.begin(length)
    }

    /// Counts the next bytes.
    func receive(_ count: Int) {
        received.wrappingAdd(Int64(count), ordering: .relaxed)
        bodies.receive(Int64(count))
    }

    deinit { bodies.end(length, received: received.load(ordering: .relaxed)) }
}
