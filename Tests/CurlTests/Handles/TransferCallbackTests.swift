import Glibc
import Posix
import TestSupport
import Testing

@testable import Curl

/// What libcurl calls during a transfer, and what the answers do.
@Suite(.timeLimit(.minutes(10))) struct TransferCallbackTests {
    @Test("A response is delivered line by line, and the handle has its addresses and sizes")
    func responseIsDeliveredLineByLine() throws {
        let server = try LoopbackServer { .text("body of \($0.target)").header("X-A", "b") }
        let loop = try TestLoop()
        let transfer = RecordedTransfer(loop.events)
        let easy = try loop.makeHandle("\(server.url)/path", transfer)
        #expect(try loop.run(easy) == .ok)
        #expect(
            transfer.headerLines == [
                "HTTP/1.1 200 Text\r\n", "Content-Type: text/plain\r\n", "X-A: b\r\n",
                "Content-Length: 13\r\n", "\r\n",
            ]
        )
        #expect(transfer.bodyText == "body of /path")
        #expect(easy.get(.primaryIP) == "127.0.0.1" && easy.get(.localIP) == "127.0.0.1")
        #expect(easy.address(.primaryIP).text == "127.0.0.1")
        #expect(easy.get(.primaryPort) == server.port)
        #expect(easy.get(.httpVersion) == EasyValue.HTTPVersion.http1_1)
        #expect(easy.get(.numConnects) == 1 && easy.get(.osErrno) == 0)
        #expect(easy.get(.sizeDownload) == 13 && easy.get(.sizeUpload) == 0)
        #expect(easy.get(.headerSize) == transfer.headerLines.joined().utf8.count)
        #expect(easy.get(.requestSize).map { $0 > 20 } == true)
        #expect(easy.errorText == "")
        #expect(easy.tls == nil && easy.certificates == [] && !easy.hasUnreadTLSBytes == true)
        let end = try #require(transfer.ends.first)
        #expect(transfer.ends.count == 1 && transfer.opened.count == 1)
        #expect(end.remote.text == "127.0.0.1" && end.remotePort == server.port)
        #expect(end.local.text == "127.0.0.1" && easy.get(.localPort) == end.localPort)
    }

    @Test("A handle knows its connection's socket while it is in its multi handle")
    func handleKnowsItsSocket() throws {
        let server = try LoopbackServer { _ in .text("x") }
        let loop = try TestLoop()
        let transfer = RecordedTransfer(loop.events)
        let easy = try loop.makeHandle(server.url, transfer)
        #expect(easy.activeSocket == nil)
        #expect(loop.multi.add(easy) == .ok)
        try loop.turns { loop.multi.nextResult() != nil }
        #expect(easy.activeSocket == transfer.opened.first && transfer.opened.count == 1)
        #expect(loop.multi.remove(easy) == .ok)
        #expect(easy.activeSocket == nil)
    }

    @Test("The times of a transfer are in order")
    func timesAreInOrder() throws {
        let server = try LoopbackServer { _ in .text("x") }
        let loop = try TestLoop()
        let easy = try loop.makeHandle(server.url, RecordedTransfer(loop.events))
        #expect(try loop.run(easy) == .ok)
        let infos: [EasyInfo<Int64>] = [
            .nameLookupTime, .connectTime, .preTransferTime, .startTransferTime,
        ]
        let times = infos.map { easy.get($0) ?? -1 }
        #expect(times == times.sorted() && times[0] >= 0 && times[1] > 0)
        #expect(easy.get(.appConnectTime) == 0, "there is no TLS")
    }

    @Test("The next transfer uses the open connection, and another handle does, too")
    func connectionIsReused() throws {
        let server = try LoopbackServer { .text($0.target) }
        let loop = try TestLoop()
        let first = RecordedTransfer(loop.events)
        let easy = try loop.makeHandle("\(server.url)/1", first)
        #expect(try loop.run(easy) == .ok)
        for number in 2...4 {
            let next = RecordedTransfer(loop.events)
            let other = try loop.makeHandle("\(server.url)/\(number)", next)
            #expect(try loop.run(other) == .ok)
            #expect(next.bodyText == "/\(number)" && next.opened == [])
            #expect(next.ends == first.ends && other.get(.numConnects) == 0)
        }
        #expect(server.acceptedConnectionCount == 1)
        #expect(loop.events.closed == [])
    }

    @Test("Concurrent transfers are distinguished by their tokens", arguments: [0, 7, UInt64.max])
    func transfersAreDistinguishedByTokens(token: UInt64) throws {
        let server = try LoopbackServer { .text($0.target) }
        let loop = try TestLoop()
        let (one, two) = (RecordedTransfer(loop.events), RecordedTransfer(loop.events))
        let first = try loop.makeHandle("\(server.url)/1", one, token: token)
        let second = try loop.makeHandle("\(server.url)/2", two, token: token ^ 1)
        #expect(loop.multi.add(first) == .ok && loop.multi.add(second) == .ok)
        #expect(loop.multi.add(first) == .addedAlready)
        #expect(loop.multi.nextResult() == nil)
        var results: [UInt64: CurlCode] = [:]
        try loop.turns {
            while let (token, code) = loop.multi.nextResult() { results[token] = code }
            return results.count == 2
        }
        #expect(results == [token: .ok, token ^ 1: .ok])
        #expect(one.bodyText == "/1" && two.bodyText == "/2")
        loop.multi.remove(first)
        loop.multi.remove(second)
        #expect(loop.multi.nextResult() == nil)
    }

    @Test("Refused header lines and body bytes end the transfer with a write error")
    func refusedBytesEndTheTransfer() throws {
        let server = try LoopbackServer { _ in .text("x") }
        for isBody in [true, false] {
            let loop = try TestLoop()
            let transfer = RecordedTransfer(loop.events)
            if isBody {
                transfer.bodyActions = [.abort]
            } else {
                transfer.headerActions = [.accept, .abort]
            }
            let easy = try loop.makeHandle(server.url, transfer)
            #expect(try loop.run(easy) == .writeError)
            #expect(transfer.body == [] && transfer.headerLines.count == (isBody ? 4 : 1))
            #expect(easy.errorText.isEmpty == false)
        }
    }

    @Test("A paused body is delivered again when the transfer is resumed")
    func pausedBodyIsDeliveredAgain() throws {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        let server = try LoopbackServer { _ in .bytes(bytes) }
        let loop = try TestLoop()
        let transfer = RecordedTransfer(loop.events)
        transfer.bodyActions = [.accept, .pause, .pause]
        let easy = try loop.makeHandle(server.url, transfer)
        #expect(loop.multi.add(easy) == .ok)
        try loop.turns { transfer.bodyActions.count == 1 }
        let received = transfer.body
        #expect(received.count < bytes.count && bytes.starts(with: received))
        for _ in 0..<5 { loop.turn(until: .now) }
        #expect(transfer.body == received && transfer.bodyActions.count == 1)
        // The second pause answers the resumption.
        #expect(easy.pause(receiving: false, sending: false) == .ok)
        #expect(transfer.body == received && transfer.bodyActions.isEmpty)
        #expect(easy.pause(receiving: false, sending: false) == .ok)
        #expect(try loop.finish(easy) == .ok)
        #expect(transfer.body == bytes)
    }

    @Test("No request is sent if the transfer's callback aborts before the request")
    func requestIsNotSentUnlessReady() throws {
        let server = try LoopbackServer { _ in .text("x") }
        let loop = try TestLoop()
        let transfer = RecordedTransfer(loop.events)
        transfer.isReady = false
        let easy = try loop.makeHandle(server.url, transfer)
        #expect(try loop.run(easy) == .abortedByCallback)
        #expect(transfer.ends.count == 1 && transfer.headerLines == [])
        #expect(server.requestCount == 0)
    }

    @Test("A refused connection has libcurl's text and the system's errno")
    func refusedConnectionHasItsErrno() throws {
        let loop = try TestLoop()
        let transfer = RecordedTransfer(loop.events)
        let port = try LoopbackServer.unusedPort()
        let easy = try loop.makeHandle("http://127.0.0.1:\(port)/", transfer)
        #expect(try loop.run(easy) == .couldntConnect)
        #expect(easy.errorText.contains("127.0.0.1"), "\(easy.errorText)")
        #expect(easy.get(.osErrno) == Int(ECONNREFUSED))
        #expect(transfer.ends == [] && easy.activeSocket == nil)
        #expect(loop.events.closed == transfer.opened && transfer.opened.count == 1)
        // The next transfer begins without that text.
        easy.attach(RecordedTransfer(loop.events), token: 2)
        #expect(easy.errorText == "")
    }

    @Test("A timeout that libcurl schedules ends the transfer")
    func timeoutEndsTheTransfer() throws {
        let server = try LoopbackServer { _ in .text("never").after(Gate()) }
        let loop = try TestLoop()
        let easy = try loop.makeHandle(server.url, RecordedTransfer(loop.events))
        try easy.set(.timeoutMilliseconds, 1)
        #expect(try loop.run(easy) == .operationTimedOut)
        #expect(easy.errorText.contains("timed out"), "\(easy.errorText)")
    }

    @Test("Each opened socket is closed once: after its transfer, or with the multi handle")
    func openedSocketIsClosedOnce() throws {
        let server = try LoopbackServer { _ in .text("x") }
        let events: LoopEvents
        let kept: RecordedTransfer
        do {
            let loop = try TestLoop()
            events = loop.events
            let closing = RecordedTransfer(events)
            let easy = try loop.makeHandle(server.url, closing)
            try easy.set(.forbidReuse, true)
            #expect(try loop.run(easy) == .ok)
            #expect(events.closed == closing.opened && closing.opened.count == 1)
            kept = RecordedTransfer(events)
            let other = try loop.makeHandle(server.url, kept)
            #expect(try loop.run(other) == .ok)
            #expect(events.closed.count == 1 && kept.opened.count == 1)
        }
        #expect(events.closed.count == 2 && events.closed.last == kept.opened.first)
    }

    @Test("A handle retains its callbacks' object until it is detached")
    func handleKeepsItsCallbacksUntilDetached() throws {
        let loop = try TestLoop()
        weak var observed: RecordedTransfer?
        let easy: EasyHandle
        do {
            let transfer = RecordedTransfer(loop.events)
            observed = transfer
            easy = try loop.makeHandle("http://127.0.0.1/", transfer)
        }
        #expect(observed != nil)
        easy.detach()
        #expect(observed == nil)
    }

    @Test("The verbose option, and only it, logs what is sent and received")
    func logHasWhatWasSentAndReceived() throws {
        let server = try LoopbackServer { _ in .text("answer") }
        for isVerbose in [true, false] {
            let loop = try TestLoop()
            let transfer = RecordedTransfer(loop.events)
            let easy = try loop.makeHandle("\(server.url)/x", transfer)
            try easy.set(.verbose, isVerbose)
            try easy.set(.copyPostFields, Array("question".utf8))
            #expect(try loop.run(easy) == .ok)
            guard isVerbose else {
                #expect(transfer.log.isEmpty)
                continue
            }
            #expect(transfer.logged(.headerSent).hasPrefix("POST /x HTTP/1.1\r\n"))
            #expect(transfer.logged(.bodySent) == "question")
            #expect(transfer.logged(.headerReceived) == transfer.headerLines.joined())
            #expect(transfer.logged(.bodyReceived) == "answer")
            #expect(transfer.logged(.text).contains("127.0.0.1"))
            #expect(transfer.logged(.tlsSent) + transfer.logged(.tlsReceived) == "")
        }
    }
}
