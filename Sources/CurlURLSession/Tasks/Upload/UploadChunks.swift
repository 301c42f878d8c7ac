internal import CurlTransport
internal import Synchronization

/// The chunks of an owner's sequence, which reports its error.
struct UploadChunks<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Collection<UInt8> & Sendable {
    typealias Element = [UInt8]

    private let base: Base
    private let use: SingleUse?
    private let didFail: @Sendable (any Error) -> Void

    /// - Parameters:
    ///   - use: The flag of a sequence that may be iterated once; `nil` for others.
    ///   - didFail: Called with the sequence's error, unless the iteration was cancelled.
    init(_ base: Base, use: SingleUse?, didFail: @escaping @Sendable (any Error) -> Void) {
        self.base = base
        self.use = use
        self.didFail = didFail
    }

    /// The sequence isn't used up if its iteration was cancelled before it has begun.
    func makeAsyncIterator() -> Iterator {
        let mayBegin = !Task.isCancelled && use?.begin() ?? true
        return Iterator(base: mayBegin ? base.makeAsyncIterator() : nil, didFail: didFail)
    }

    struct Iterator: AsyncIteratorProtocol {
        /// `nil` if the sequence must not be iterated.
        var base: Base.AsyncIterator?
        let didFail: @Sendable (any Error) -> Void

        mutating func next() async throws -> [UInt8]? {
            guard base != nil else { throw TransportError.bodyNotReplayable }
            do {
                guard let chunk = try await base?.next(isolation: #isolation) else { return nil }
                return [UInt8](chunk)
            } catch {
                // After a cancellation the error is its consequence, and not the task's result.
                if !Task.isCancelled { didFail(error) }
                throw error
            }
        }
    }
}

/// Collects single bytes into chunks.
struct CollectedBytes<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element == UInt8 {
    typealias Element = [UInt8]

    private let base: Base

    init(_ base: Base) {
        self.base = base
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(base.makeAsyncIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        private var base: Base.AsyncIterator
        private var hasEnded = false

        /// The number of bytes in a chunk.
        private static var size: Int { 16 * 1024 }

        init(_ base: Base.AsyncIterator) {
            self.base = base
        }

        mutating func next() async throws -> [UInt8]? {
            guard !hasEnded else { return nil }
            var chunk: [UInt8] = []
            chunk.reserveCapacity(Self.size)
            while chunk.count < Self.size {
                guard let byte = try await base.next(isolation: #isolation) else {
                    hasEnded = true
                    break
                }
                chunk.append(byte)
            }
            return chunk.isEmpty ? nil : chunk
        }
    }
}

/// Records whether a sequence that may be iterated once was begun.
final class SingleUse: Sendable {
    private let flag = Atomic(false)

    var isBegun: Bool { flag.load(ordering: .acquiring) }

    /// Begins the iteration. Returns false if it was begun before.
    func begin() -> Bool {
        !flag.exchange(true, ordering: .acquiringAndReleasing)
    }
}
