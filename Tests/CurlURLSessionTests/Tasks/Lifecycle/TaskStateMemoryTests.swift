internal import CurlTransport
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlURLSession

@Suite struct TaskStateMemoryTests {
    /// A loader that does nothing.
    private final class IdleLoader: Loader {
        func start() {}
        func cancel() {}
        func allow(receiving: Bool, sending: Bool) {}
    }

    private func head(_ status: Int) throws -> ResponseHead {
        var parser = ResponseHeadParser()
        for line in ["HTTP/1.1 \(status) Text\r\n", "\r\n"] {
            let bytes = Array(line.utf8)
            if case .head(let head) = try parser.receive(bytes.span) { return head }
        }
        throw SupportError("no head")
    }

    /// Whether the array alone owns its memory, so that a change doesn't move it.
    private func isAlone(_ bytes: inout [UInt8]) -> Bool {
        let place = bytes.withUnsafeBytes { $0.baseAddress }
        bytes[0] += 1
        return bytes.withUnsafeBytes { $0.baseAddress } == place
    }

    /// A new head releases the one that it replaces.
    @Test func earlierProxyResponseIsReleased() throws {
        let loader = IdleLoader()
        let request = URLRequest(url: try #require(URL(string: "https://origin.test/")))
        var state = TaskState(
            session: nil,
            request: request,
            kind: .data,
            body: .none,
            consumer: .delegate,
            delegate: nil
        )
        state.exchange.load = TaskLoad(
            loader: loader,
            loadRequest: LoadRequest(request, body: .none),
            httpRequest: nil,
            started: Date()
        )
        var bytes: [UInt8] = []
        do {
            let first = try head(407)
            state.note(tunnelHead: first, from: loader)
            bytes = first.bytes
        }
        let isKept = !isAlone(&bytes)
        #expect(isKept)
        do {
            let first = try head(407)
            state.note(tunnelHead: first, from: loader)
            bytes = first.bytes
        }
        state.note(tunnelHead: try head(200), from: loader)
        let isForgotten = isAlone(&bytes)
        #expect(isForgotten)
        let status = state.exchange.load?.tunnelHead?.statusCode
        #expect(status == 200)
    }

    /// An empty array with capacity.
    private func memory() -> [UInt8] {
        var memory: [UInt8] = []
        memory.reserveCapacity(1000)
        return memory
    }

    @Test("A task that takes a response's head returns the memory to the pool")
    func headReturnsMemory() throws {
        let pool = BufferPool()
        let request = URLRequest(url: try #require(URL(string: "https://origin.test/")))
        var load = TaskLoad(
            loader: IdleLoader(),
            loadRequest: LoadRequest(request, body: .none),
            httpRequest: nil,
            started: Date()
        )
        load.note(.head(try head(200).copied(into: memory())))
        load.moveHead(returningMemoryTo: pool)
        #expect(pool.take().capacity >= 1000)
        #expect(load.response?.statusCode == 200)
        #expect(load.response?.receivedHead?.httpVersion == "1.1")
    }

    @Test("The pool of an invalid or released session keeps no memory", arguments: [false, true])
    func poolEndsWithSession(isInvalidated: Bool) throws {
        var session = Optional(URLSession(configuration: .ephemeral))
        let pool = try #require(session?.core.buffers)
        var former = memory()
        pool.recycle(&former)
        #expect(pool.take().capacity >= 1000)
        former = memory()
        pool.recycle(&former)
        if isInvalidated { session?.invalidateAndCancel() } else { session = nil }
        #expect(pool.take().capacity == 0)
        var late = memory()
        pool.recycle(&late)
        #expect(pool.take().capacity == 0)
    }
}
