import Posix
import Testing

@testable import CurlTransport

struct TransferMetricsTests {
    @Test func phaseDurationsAreDifferencesOfTimes() {
        var measurements = TransferMeasurements()
        measurements.nameLookupEnd = 1_000_000
        measurements.connectEnd = 3_000_000
        measurements.tlsEnd = 7_000_000
        measurements.requestStart = 8_000_000
        measurements.firstByte = 20_000_000
        measurements.total = 50_000_000
        let metrics = TransferMetrics(measurements)
        #expect(metrics.nameLookup == .milliseconds(1))
        #expect(metrics.connect == .milliseconds(2))
        #expect(metrics.tls == .milliseconds(4))
        #expect(metrics.waiting == .milliseconds(12))
        #expect(metrics.receiving == .milliseconds(30))
    }

    @Test func unreachedPhasesAreNil() {
        let metrics = TransferMetrics()
        #expect(metrics.nameLookup == nil)
        #expect(metrics.connect == nil)
        #expect(metrics.tls == nil)
        #expect(metrics.waiting == nil)
        #expect(metrics.receiving == nil)
        #expect(metrics.peer == nil)
    }

    @Test func reusedConnectionHasNoConnectDuration() {
        var measurements = TransferMeasurements()
        measurements.isConnectionReused = true
        measurements.nameLookupEnd = 5_000
        measurements.connectEnd = 5_000
        let metrics = TransferMetrics(measurements)
        #expect(metrics.nameLookup == nil)
        #expect(metrics.connect == nil)
        #expect(metrics.tls == nil)
    }

    @Test func phaseDurationIsNeverNegative() {
        var measurements = TransferMeasurements()
        measurements.requestStart = 9_000_000
        measurements.firstByte = 8_000_000
        let metrics = TransferMetrics(measurements)
        #expect(metrics.waiting == .zero)
        #expect(metrics.receiving == .zero)
    }

    @Test func ipv6PeerHasBrackets() {
        func peer(_ address: String, _ port: Int? = nil) -> String? {
            var measurements = TransferMeasurements()
            measurements.connection = ConnectionInfo(
                remoteAddress: AddressText(address),
                remotePort: port
            )
            return TransferMetrics(measurements).peer
        }
        #expect(peer("::1") == "[::1]")
        #expect(peer("::1", 443) == "[::1]:443")
        #expect(peer("127.0.0.1", 443) == "127.0.0.1:443")
        #expect(peer("", 443) == nil)
        #expect(TransferMetrics(TransferMeasurements()).peer == nil)
    }

    @Test func measurementsFitAllocatorsFastPath() {
        #expect(MemoryLayout<TransferMeasurements>.size <= 104)
    }
}
