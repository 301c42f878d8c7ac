import Posix
import TestSupport
import Testing

@testable import Curl

/// The bodies of requests, which libcurl takes from a callback or from its options.
@Suite(.timeLimit(.minutes(10))) struct UploadCallbackTests {
    /// A handle whose request has a body of `size` bytes from the callback; chunked if nil.
    private func makeHandle(
        _ loop: borrowing TestLoop,
        _ url: String,
        _ transfer: RecordedTransfer,
        size: Int?
    ) throws -> EasyHandle {
        let easy = try loop.makeHandle(url, transfer)
        try easy.set(.post, true)
        try easy.set(.postFieldSize, Int64(size ?? -1))
        try easy.setHeaders { headers in
            headers.append("Expect:")
            if size == nil { headers.append(name: "Transfer-Encoding", value: "chunked") }
        }
        return easy
    }

    @Test("A body is sent in pieces, with its length or in chunks", arguments: [true, false])
    func bodyIsSentInPieces(hasLength: Bool) async throws {
        let server = try LoopbackServer { .text("\($0.bodyByteCount)") }
        let pieces = [1, 100, 70_000, 3].map { [UInt8](repeating: UInt8($0 % 251), count: $0) }
        let (code, body, sent) = try await NativeThread.run {
            let loop = try TestLoop()
            let transfer = RecordedTransfer(loop.events)
            transfer.pieces = pieces
            let size = hasLength ? 70_104 : nil
            let easy = try makeHandle(loop, server.url, transfer, size: size)
            return (try loop.run(easy), transfer.bodyText, easy.get(.sizeUpload))
        }
        #expect(code == .ok && body == "70104" && sent.map { $0 >= 70_104 } == true)
        let request = try await server.request(0)
        #expect(request.body == Array(pieces.joined()))
        #expect(request.header("Content-Length") == (hasLength ? "70104" : nil))
        #expect(request.header("Transfer-Encoding") == (hasLength ? nil : "chunked"))
        #expect(request.header("Expect") == nil)
    }

    @Test("A body that is paused without bytes continues when the transfer is resumed")
    func pausedBodyIsContinued() throws {
        let server = try LoopbackServer { .text($0.bodyText) }
        let loop = try TestLoop()
        let transfer = RecordedTransfer(loop.events)
        transfer.pieces = [Array("first ".utf8)]
        transfer.lastFill = .pause
        let easy = try makeHandle(loop, server.url, transfer, size: nil)
        #expect(loop.multi.add(easy) == .ok)
        try loop.turns { transfer.pieces.isEmpty }
        for _ in 0..<5 { loop.turn(until: .now) }
        #expect(loop.multi.nextResult() == nil)
        transfer.pieces = [Array("second".utf8)]
        transfer.lastFill = .endOfBody
        #expect(easy.pause(receiving: false, sending: false) == .ok)
        #expect(try loop.finish(easy) == .ok)
        #expect(transfer.bodyText == "first second")
    }

    @Test("A body that its source ends early, or can't read, ends the transfer")
    func failedBodyEndsTheTransfer() throws {
        let server = try LoopbackServer { _ in .text("x") }
        let loop = try TestLoop()
        let transfer = RecordedTransfer(loop.events)
        transfer.pieces = [[1, 2, 3]]
        transfer.lastFill = .abort
        let easy = try makeHandle(loop, server.url, transfer, size: 10)
        #expect(try loop.run(easy) == .abortedByCallback)
        #expect(transfer.headerLines == [] && transfer.pieces == [])
    }

    @Test("A request body from the options is copied, also with NUL or without any bytes")
    func bytesFromOptionsAreCopied() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let bodies: [[UInt8]] = [[0, 1, 0, 255], [], Array("a=b".utf8)]
        try await NativeThread.run {
            let loop = try TestLoop()
            for bytes in bodies {
                let easy = try loop.makeHandle(server.url, RecordedTransfer(loop.events))
                do {
                    let copy = bytes.map { $0 }
                    try easy.set(.copyPostFields, copy)
                }
                #expect(try loop.run(easy) == .ok)
            }
        }
        for (index, bytes) in bodies.enumerated() {
            let request = try await server.request(index)
            #expect(request.method == "POST" && request.body == bytes)
            #expect(request.header("Content-Length") == "\(bytes.count)")
        }
    }

    /// The server closes a reused connection instead of answering: libcurl sends the request again.
    @Test("A body is rewound to be sent again on a new connection", arguments: [true, false])
    func bodyIsRewoundForANewConnection(isPossible: Bool) throws {
        let server = try LoopbackServer.scripted(
            first: [
                .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), .readHead,
                .readBody, .close,
            ],
            then: { .text($0.bodyText) }
        )
        let loop = try TestLoop()
        let first = try loop.makeHandle(server.url, RecordedTransfer(loop.events))
        #expect(try loop.run(first) == .ok)
        let transfer = RewoundTransfer(loop.events, isPossible: isPossible)
        let easy = try EasyHandle(for: loop.multi)
        easy.attach(transfer, token: 1)
        try easy.set([
            .text(.url, server.url), .flag(.post, true), .amount(.postFieldSize, 4),
        ])
        let code = try loop.run(easy)
        #expect(transfer.offsets == [0])
        #expect(code == (isPossible ? .ok : .sendFailRewind))
        #expect(transfer.body == Array((isPossible ? "body" : "").utf8))
    }
}

/// A transfer whose request's body can be rewound, or can't.
private final class RewoundTransfer: EasyCallbacks {
    private let events: LoopEvents
    private let isPossible: Bool
    private var isSent = false
    private(set) var offsets: [Int64] = []
    private(set) var body: [UInt8] = []

    init(_ events: LoopEvents, isPossible: Bool) {
        self.events = events
        self.isPossible = isPossible
    }

    func received(headerLine: Span<UInt8>) -> EasyDataAction { .accept }

    func received(body: Span<UInt8>) -> EasyDataAction {
        self.body.append(copying: body)
        return .accept
    }

    func fill(_ output: inout OutputSpan<UInt8>) -> EasyFillAction {
        guard !isSent else { return .endOfBody }
        isSent = true
        _ = output.append(copying: "body".utf8.span)
        return .bytes
    }

    func seekRequestBody(to offset: Int64) -> EasySeekAction {
        offsets.append(offset)
        isSent = !isPossible
        return isPossible ? .done : .impossible
    }

    func readyToSend(between ends: ConnectionEnds) -> Bool { true }
    func openedSocket(_ descriptor: Int32) { events.opened(descriptor) }
    func logged(_ kind: EasyLogKind, _ bytes: Span<UInt8>) {}
}
