internal import CurlTransport
internal import Testing

/// Errors and metrics that a program makes.
@Suite struct ProgramErrorTests {
    @Test("Each code and each phase is found by its name")
    func namesFindCodesAndPhases() {
        for code in TransportError.Code.all {
            #expect(TransportError.Code(named: code.description) == code)
            let error = TransportError(code)
            #expect(error.code == code)
            #expect(TransportError.Phase(named: error.phase.description) == error.phase)
            #expect(error.message.contains(code.description))
        }
        #expect(TransportError.Code(named: "nothing") == nil)
        #expect(TransportError.Phase(named: "nothing") == nil)
    }

    @Test("An error has what it was made from, without secrets")
    func errorHasItsParts() {
        struct Cause: Error {}
        let id = TransferID()
        let metrics = TransferMetrics(total: .seconds(2))
        let error = TransportError(
            .connectionLost,
            phase: .sending,
            message: "lost at http://user:pass@host/?secret=1",
            url: "http://user:pass@host/path?secret=1",
            retry: .always,
            underlying: Cause(),
            metrics: metrics,
            transferID: id
        )
        #expect(error.phase == .sending)
        #expect(error.retry == .always)
        #expect(error.message == "lost at http://host/")
        #expect(error.url == "http://host/path")
        #expect(error.underlying is Cause)
        #expect(error.metrics == metrics)
        #expect(error.transferID == id)
        #expect(TransportError(.connectionLost).phase == .receiving)
        #expect(TransportError(.connectRefused).retry == .always)
    }

    @Test("Errors of different transfers are equal if their failures are")
    func equalityIgnoresTransfer() {
        let one = TransportError(.cancelled, transferID: TransferID())
        let other = TransportError(.cancelled, metrics: TransferMetrics(total: .seconds(1)))
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(one != TransportError(.shutdown))
    }

    @Test("Metrics have the values that they were made from")
    func metricsHaveTheirValues() {
        let metrics = TransferMetrics(
            queue: .milliseconds(1),
            nameLookupEnd: .milliseconds(2),
            connectEnd: .milliseconds(3),
            tlsEnd: .milliseconds(5),
            requestStart: .milliseconds(5),
            firstByte: .milliseconds(9),
            total: .milliseconds(20),
            requestBytes: 100,
            responseBytes: 300,
            responseHeadBytes: 50,
            bodyBytes: 900,
            httpVersion: "2",
            tlsVersion: "TLSv1.3",
            tlsCipher: "A",
            remoteAddress: "::1",
            remotePort: 443,
            localAddress: "127.0.0.1",
            localPort: 5,
            redirectCount: 2
        )
        #expect(metrics.queue == .milliseconds(1))
        #expect(metrics.nameLookup == .milliseconds(2))
        #expect(metrics.tls == .milliseconds(2))
        #expect(metrics.waiting == .milliseconds(4))
        #expect(metrics.receiving == .milliseconds(11))
        #expect(metrics.requestBytes == 100)
        #expect(metrics.responseBytes == 300)
        #expect(metrics.responseHeadBytes == 50)
        #expect(metrics.bodyBytes == 900)
        #expect(metrics.httpVersion == "2")
        #expect(metrics.tlsVersion == "TLSv1.3" && metrics.tlsCipher == "A")
        #expect(metrics.peer == "[::1]:443")
        #expect(metrics.localAddress == "127.0.0.1" && metrics.localPort == 5)
        #expect(metrics.redirectCount == 2)
        #expect(TransferMetrics(total: .seconds(-1)) == TransferMetrics())
    }
}
