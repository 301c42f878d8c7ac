internal import HTTPTypes
internal import TestSupport
internal import Testing

@testable internal import CurlTransport

/// How a buffered body moves to a file that the loop writes.
///
/// The body is buffered for a reader. The reader and the loop may act in either order.
@Suite struct ExchangeStateTests {
    private let directory: TemporaryDirectory
    private let target = DownloadTarget()
    private let piece = RequestBodyTests.bytes(300_000)

    init() throws {
        directory = try TemporaryDirectory()
        _ = try target.open(directory.path("file"))
    }

    /// An exchange whose head has arrived and has been taken by a task.
    private func state() throws -> ExchangeState {
        var state = ExchangeState(
            request: try HTTPRequest(url: "http://127.0.0.1/"),
            receiveBufferSize: 0
        )
        state.handle = TransferHandle(id: .next(), loop: nil)
        state.takesChunksElsewhere = true
        return state
    }

    private func written() throws -> [UInt8] {
        try target.commit()
        return try directory.read("file")
    }

    private func chunk(_ taken: ExchangeState.Taken) throws -> [UInt8]? {
        try taken.result?.get()
    }

    @Test func bufferedBytesAreWrittenBeforeLaterBytes() throws {
        var state = try state()
        #expect(state.append(piece.span) == .proceed)
        #expect(state.append(piece.span) == .pause)
        // It was paused because no reader took the bytes, and resumes now.
        #expect(state.write(to: target) != nil)
        let last: [UInt8] = [1, 2, 3]
        #expect(state.append(last.span) == .proceed)
        state.complete(with: nil)
        #expect(try chunk(state.answerReader()) == nil)
        let isWhole = try written() == piece + piece + last
        #expect(isWhole)
    }

    @Test func readerWaitsWhileLoopWritesFile() throws {
        var state = try state()
        #expect(state.append(piece.span) == .proceed)
        #expect(state.write(to: target) == nil)
        let early = (state.answerReader(), state.takeChunk())
        #expect(early.0.result == nil && early.1.result == nil)
        // No content follows: the buffered bytes are left to the reader.
        state.complete(with: nil)
        #expect(try chunk(state.answerReader()) == [])
        let isWhole = try chunk(state.takeChunk()) == piece
        #expect(isWhole)
        #expect(try chunk(state.answerReader()) == nil)
        #expect(try written() == [])
    }

    @Test func bodyCompletedBeforeWritingIsLeftToReader() throws {
        var state = try state()
        #expect(state.append(piece.span) == .proceed)
        state.complete(with: nil)
        #expect(state.write(to: target) == nil)
        let isWhole = try chunk(state.takeChunk()) == piece
        #expect(isWhole)
        #expect(try chunk(state.answerReader()) == nil)
    }

    @Test func errorDuringWritingReplacesRemainingBytes() throws {
        var state = try state()
        #expect(state.append(piece.span) == .proceed)
        #expect(state.write(to: target) == nil)
        state.complete(with: .cancelled)
        #expect(throws: TransportError.self) { try chunk(state.answerReader()) }
    }
}
