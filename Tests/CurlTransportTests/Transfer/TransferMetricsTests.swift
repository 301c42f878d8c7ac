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
        func peer(_ address: String, _ port: Int? = nil) -> String? {
            var facts = TransferFacts()
            facts.connection = ConnectionFacts(
                remoteAddress: AddressText(address.utf8),
                remotePort: port
            )
            return TransferMetrics(facts).peer
        }
        #expect(peer("::1") == "[::1]")
        #expect(peer("::1", 443) == "[::1]:443")
        #expect(peer("127.0.0.1", 443) == "127.0.0.1:443")
        #expect(peer("", 443) == nil)
        #expect(TransferMetrics(TransferFacts()).peer == nil)
    }

    @Test func theFactsOfATransferAreSmallEnoughToBeFreedWithoutALock() {
        #expect(MemoryLayout<TransferFacts>.size <= 104)
    }
}
