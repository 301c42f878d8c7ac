internal import CurlTransport
internal import Foundation
internal import Testing

@testable internal import CurlURLSession

/// The memory of bodies, which event loops fill and other threads take.
@Suite struct BodyBufferTests {
    private let pool = BufferPool()

    private func piece(_ count: Int, from first: Int = 0) -> [UInt8] {
        (first..<(first + count)).map { UInt8(truncatingIfNeeded: $0) }
    }

    /// Whether the pool has memory. Takes it.
    private func takesMemory() -> Bool { pool.take().capacity > 0 }

    @Test("Few bytes are copied, and their memory returns to the pool")
    func fewBytesAreCopied() {
        var buffer = BodyBuffer(pool: pool)
        _ = buffer.keep(piece(1000).span)
        _ = buffer.keep(piece(24, from: 1000).span)
        #expect(buffer.count == 1024)
        let taken = buffer.take()
        #expect(taken == Data(piece(1024)))
        #expect(buffer.isEmpty)
        #expect(takesMemory())
    }

    @Test("The next bytes use the memory that the pool has")
    func memoryIsReused() {
        var memory: [UInt8] = []
        memory.reserveCapacity(2000)
        pool.recycle(&memory)
        var buffer = BodyBuffer(pool: pool)
        buffer.collect(piece(1000).span, expected: 1000)
        #expect(!takesMemory())
        _ = buffer.take()
        #expect(pool.take().capacity >= 2000)
    }

    @Test(
        "Bytes stay in order at the limit between few and many",
        arguments: [
            BufferPool.maximumCopied - 1, BufferPool.maximumCopied, BufferPool.maximumCopied + 1,
        ]
    )
    func bytesStayInOrder(first: Int) {
        for second in [0, 1, 5000] {
            var buffer = BodyBuffer(pool: pool)
            buffer.collect(piece(first).span, expected: -1)
            buffer.collect(piece(second, from: first).span, expected: -1)
            let all = Data(piece(first + second))
            #expect(buffer.count == all.count)
            #expect(buffer.bytes == all)
            let taken = buffer.take()
            #expect(taken == all)
            #expect(buffer.isEmpty)
            _ = takesMemory()
        }
    }

    @Test("Memory returns to the pool if more bytes arrive than are copied")
    func memoryReturnsBeforeManyBytes() {
        var buffer = BodyBuffer(pool: pool)
        _ = buffer.keep(piece(1000).span)
        _ = buffer.keep(piece(BufferPool.maximumCopied, from: 1000).span)
        #expect(takesMemory())
        let taken = buffer.take()
        #expect(taken == Data(piece(1000 + BufferPool.maximumCopied)))
        #expect(!takesMemory())
    }

    @Test("The first bytes of a body that is known to be large stay in place")
    func largeBodyStaysInPlace() {
        var buffer = BodyBuffer(pool: pool)
        buffer.collect(piece(1000).span, expected: 100_000)
        let place = buffer.bytes.withUnsafeBytes { $0.baseAddress }
        buffer.collect(piece(99_000, from: 1000).span, expected: 100_000)
        let isInPlace = buffer.bytes.withUnsafeBytes { $0.baseAddress } == place
        #expect(isInPlace)
        let taken = buffer.take()
        #expect(taken == Data(piece(100_000)))
    }

    @Test("Few bytes are reported in parts, and those that weren't are discarded")
    func fewBytesAreReported() {
        var buffer = BodyBuffer(pool: pool)
        _ = buffer.keep(piece(100).span)
        #expect(buffer.report() == 0..<100)
        _ = buffer.keep(piece(50, from: 100).span)
        #expect(buffer.reported == Data(piece(100)))
        #expect(buffer.report() == 100..<150)
        #expect(buffer.copy(of: 100..<150) == Data(piece(50, from: 100)))
        #expect(buffer.copy(of: 140..<500) == Data(piece(10, from: 140)))
        _ = buffer.keep(piece(30, from: 150).span)
        let body = buffer.takeReported()
        #expect(body == Data(piece(150)))
        #expect(takesMemory())
    }

    @Test("Few bytes after many don't reserve memory")
    func fewBytesAfterManyReserveNothing() {
        var buffer = BodyBuffer(pool: pool)
        _ = buffer.keep(piece(100_000).span)
        #expect(buffer.take().count == 100_000)
        _ = buffer.keep(piece(10).span)
        #expect(buffer.take() == Data(piece(10)))
        #expect(takesMemory())
        // A piece of nothing takes no memory.
        _ = buffer.keep(piece(0).span)
        #expect(buffer.isEmpty)
        #expect(!takesMemory())
    }

    @Test("Discarded bytes return their memory")
    func discardedBytesReturnMemory() {
        var buffer = BodyBuffer(pool: pool)
        _ = buffer.keep(piece(10).span)
        buffer.discard()
        #expect(buffer.isEmpty)
        #expect(takesMemory())
        _ = buffer.keep(piece(20).span)
        #expect(buffer.take() == Data(piece(20)))
    }

    @Test("A body without a session needs no pool")
    func bodyNeedsNoPool() {
        var buffer = BodyBuffer(pool: nil)
        _ = buffer.keep(piece(10).span)
        #expect(buffer.take() == Data(piece(10)))
        _ = buffer.keep(piece(20).span)
        #expect(buffer.take() == Data(piece(20)))
    }
}
