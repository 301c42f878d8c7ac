import Curl
import Testing

@testable import CurlTransport

struct TransferMetricsTests {
    @Test func phasesAreTheSpansBetweenMoments() {
        var metrics = TransferMetrics()
        metrics.nameLookupEnd = .milliseconds(1)
        metrics.connectEnd = .milliseconds(3)
        metrics.tlsEnd = .milliseconds(7)
        metrics.requestStart = .milliseconds(8)
        metrics.firstByte = .milliseconds(20)
        metrics.total = .milliseconds(50)
        #expect(metrics.nameLookup == .milliseconds(1))
        #expect(metrics.connect == .milliseconds(2))
        #expect(metrics.tls == .milliseconds(4))
        #expect(metrics.waiting == .milliseconds(12))
        #expect(metrics.receiving == .milliseconds(30))
    }

    @Test func whatWasNotReachedIsNil() {
        let metrics = TransferMetrics()
        #expect(metrics.nameLookup == nil)
        #expect(metrics.connect == nil)
        #expect(metrics.tls == nil)
        #expect(metrics.waiting == nil)
        #expect(metrics.receiving == nil)
        #expect(metrics.peer == nil)
        #expect(TransferMetrics.moment(nil) == nil)
        #expect(TransferMetrics.moment(0) == nil)
        #expect(TransferMetrics.moment(-1) == nil)
        #expect(TransferMetrics.moment(1_500) == .microseconds(1_500))
    }

    @Test func aReusedConnectionTookNoTimeToMake() {
        var metrics = TransferMetrics()
        metrics.isConnectionReused = true
        metrics.nameLookupEnd = .microseconds(5)
        metrics.connectEnd = .microseconds(5)
        #expect(metrics.nameLookup == nil)
        #expect(metrics.connect == nil)
        #expect(metrics.tls == nil)
    }

    @Test func aPhaseIsNeverNegative() {
        var metrics = TransferMetrics()
        metrics.requestStart = .milliseconds(9)
        metrics.firstByte = .milliseconds(8)
        #expect(metrics.waiting == .zero)
        #expect(metrics.receiving == .zero)
    }

    @Test func aPeerOfIPv6HasBrackets() {
        var metrics = TransferMetrics()
        metrics.remote = AddressText("::1".utf8)
        #expect(metrics.peer == "[::1]")
        metrics.remotePort = 443
        #expect(metrics.peer == "[::1]:443")
        metrics.remote = AddressText("127.0.0.1".utf8)
        #expect(metrics.peer == "127.0.0.1:443")
        metrics.remote = AddressText("".utf8)
        #expect(metrics.peer == nil)
    }
}
