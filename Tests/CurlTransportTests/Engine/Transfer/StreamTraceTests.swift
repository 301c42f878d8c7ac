internal import Testing

@testable internal import CurlTransport

@Suite struct StreamTraceTests {
    @Test(
        arguments: [
            ("[HTTP/2] [1] <- FRAME[DATA, len=1024, eos=1, padlen=0]", .ended(1)),
            ("[HTTP/2] [13] <- FRAME[HEADERS, len=16, hend=1, eos=1]", .ended(13)),
            ("[HTTP/2] [1] <- FRAME[DATA, len=1024, eos=0, padlen=0]", .frame(1)),
            ("[HTTP/2] [0] <- FRAME[SETTINGS, len=18]", .frame(0)),
            ("[HTTP/2] [7] <- FRAME[RST_STREAM, len=4, flags=0, error=0]", .reset(7)),
            ("[HTTP/2] [7] <- FRAME[RST_STREAM, len=4, flags=0, error=10]", .frame(7)),
            ("[HTTP/2] [268435455] CLOSED", .closed(268_435_455)),
            ("[HTTP/2] [0] MAX_CONCURRENT_STREAMS: 2", .limit(2)),
            ("[HTTP/2] [0] MAX_CONCURRENT_STREAMS: 4294967295", .limit(4_294_967_295)),
            ("[HTTP/2] [0] MAX_CONCURRENT_STREAMS: -1", .limit(.max)),
            ("[HTTP/2] [0] notify MAX_CONCURRENT_STREAMS: 2", nil),
            ("[HTTP/2] [0] MAX_CONCURRENT_STREAMS: ", nil),
            ("[HTTP/2] [1] -> FRAME[RST_STREAM, len=4, flags=0, error=0]", nil),
            ("[HTTP/2] [99999999999999999999] CLOSED", nil),
            ("[HTTP/2] [] CLOSED", nil), ("[HTTP/2] [1]", nil), ("[HTTP/2] [1", nil), ("", nil),
            ("Connection #0 to host h left intact", nil),
        ] as [(String, StreamTrace?)]
    )
    func linesAreRead(line: String, expected: StreamTrace?) {
        #expect(StreamTrace(Array(line.utf8).span) == expected)
        #expect(StreamTrace(Array((line + "\n").utf8).span) == expected)
    }

    @Test(
        "Trace lines about an HTTP/3 stream are parsed",
        arguments: [
            ("[HTTP/3] [0] h3_quic_recv -> RESET, rv=0, app_err=256", .reset),
            ("[HTTP/3] [4] reset -> 0", .reset), ("[HTTP/3] [4] header: a: b", .field),
            ("[HTTP/3] [4] end_headers, status=200", .headEnded),
            ("[HTTP/3] [4] end_headers, status=103", nil), ("[HTTP/3] [4] CLOSED", nil),
            ("[HTTP/3] [4] h3_quic_recv -> EOS", nil), ("[HTTP/3] reset -> 0", nil),
            ("[HTTP/2] [4] reset -> 0", nil), ("[HTTP/3] [4", nil), ("", nil),
        ] as [(String, HTTP3Trace?)]
    )
    func linesAboutAnHTTP3StreamAreRead(line: String, expected: HTTP3Trace?) {
        let line = Array(line.utf8)
        #expect(HTTP3Trace(line.span) == expected)
        #expect(StreamTrace(line.span) == nil)
    }

    @Test("Refusals are found in the log and the trace, and not in the server's own text")
    func refusalsAreFound() {
        func isRefusal(_ line: String) -> Bool { StreamTrace.isRefusal(Array(line.utf8).span) }
        #expect(isRefusal("REFUSED_STREAM, try again on a new connection"))
        #expect(isRefusal("Downgrades to HTTP/1.1"))
        #expect(isRefusal("HTTP/2 stream 3 refused by server, try again on a new connection"))
        #expect(isRefusal("[HTTP/2] [13] REFUSED_STREAM, try again on a new connection"))
        #expect(!isRefusal("HTTP/2 stream 3 was closed"))
        #expect(!isRefusal("[HTTP/2] [13] CLOSED"))
        #expect(!isRefusal("[HTTP/2] [0] <- FRAME[GOAWAY, reason='] REFUSED_STREAM']"))
        #expect(!isRefusal("[HTTP/2] REFUSED_STREAM"))
        #expect(!isRefusal(""))
    }

    @Test func traceLinesAreDistinguishedFromVerboseLines() {
        func isTrace(_ line: String) -> Bool { StreamTrace.isTrace(Array(line.utf8).span) }
        #expect(isTrace("[HTTP/2] [1] header: set-cookie: s3cret"))
        #expect(isTrace("[HTTP/2] [1] <- FRAME[DATA, len=1024, eos=1, padlen=0]"))
        #expect(isTrace("[HTTP/2] cf_recv"))
        #expect(isTrace("[HTTP/3] progress_ingress -> 0"))
        #expect(isTrace("[HTTP/3] [0] header: set-cookie: s3cret"))
        #expect(!isTrace("[HTTP/3] [0] OPENED stream for https://localhost/"))
        #expect(!isTrace("[HTTP/2] [1] OPENED stream for https://localhost/"))
        #expect(!isTrace("[HTTP/2] [1] [:method: GET]"))
        #expect(!isTrace("using HTTP/2"))
    }

    @Test func onlyResetBeforeEndTruncatesResponse() {
        var ends = StreamEnds()
        func notes(_ traces: StreamTrace..., on descriptor: Int32? = 5) -> [Bool] {
            traces.map { ends.note($0, on: descriptor) }
        }
        #expect(notes(.frame(1), .ended(1), .closed(1)) == [false, false, false])
        #expect(notes(.frame(3), .reset(3), .closed(3)) == [false, false, true])
        #expect(notes(.ended(5), .frame(7), .reset(5), .closed(5)) == [false, false, false, false])
        // Another connection has a stream of the same number, and another frame arrives in between.
        #expect(notes(.ended(9)) == [false])
        #expect(notes(.reset(9), .closed(9), on: 6) == [false, true])
        #expect(notes(.reset(11), .frame(1), .closed(11)) == [false, false, false])
        ends.connectionClosed(5)
        #expect(notes(.reset(9), .closed(9)) == [false, true])
    }
}
