import Curl
import Testing

@testable import CurlTransport

struct TransferMetricsTests {
    @Test func phasesAreTheSpansBetweenMoments() {
        var facts = TransferFacts()
        facts.nameLookupEnd = 1_000_000
        facts.connectEnd = 3_000_000
        facts.tlsEnd = 7_000_000
        facts.requestStart = 8_000_000
        facts.firstByte = 20_000_000
        facts.total = 50_000_000
        let metrics = TransferMetrics(facts)
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
    }

    @Test func aReusedConnectionTookNoTimeToMake() {
        var facts = TransferFacts()
        facts.isConnectionReused = true
        facts.nameLookupEnd = 5_000
        facts.connectEnd = 5_000
        let metrics = TransferMetrics(facts)
        #expect(metrics.nameLookup == nil)
        #expect(metrics.connect == nil)
        #expect(metrics.tls == nil)
    }

    @Test func aPhaseIsNeverNegative() {
        var facts = TransferFacts()
        facts.requestStart = 9_000_000
        facts.firstByte = 8_000_000
        let metrics = TransferMetrics(facts)
        #expect(metrics.waiting == .zero)
        #expect(metrics.receiving == .zero)
    }

    @Test func aPeerOfIPv6HasBrackets() {
        var facts = TransferFacts()
        facts.remoteAddress = AddressText("::1".utf8)
        #expect(TransferMetrics(facts).peer == "[::1]")
        facts.remotePort = 443
        #expect(TransferMetrics(facts).peer == "[::1]:443")
        facts.remoteAddress = AddressText("127.0.0.1".utf8)
        #expect(TransferMetrics(facts).peer == "127.0.0.1:443")
        facts.remoteAddress = AddressText("".utf8)
        #expect(TransferMetrics(facts).peer == nil)
    }
}
