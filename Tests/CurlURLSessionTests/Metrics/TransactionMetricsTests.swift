import Foundation
import Testing

@testable import Curl
@testable import CurlTransport
@testable import CurlURLSession
@testable import Posix

struct TransactionMetricsTests {
    private typealias Metrics = URLSessionTaskTransactionMetrics

    /// The times of a transfer over TLS: 5 ms in the queue, the others since its start.
    private func measurements(_ change: (inout TransferMeasurements) -> Void = { _ in })
        -> TransferMeasurements
    {
        var measurements = TransferMeasurements()
        measurements.queue = 5_000_000
        measurements.nameLookupEnd = 1_000_000
        measurements.connectEnd = 3_000_000
        measurements.tlsEnd = 7_000_000
        measurements.requestStart = 8_000_000
        measurements.firstByte = 20_000_000
        measurements.total = 50_000_000
        change(&measurements)
        return measurements
    }

    private let start = Date(timeIntervalSinceReferenceDate: 1_000)

    private func metrics(
        _ measurements: TransferMeasurements?,
        url text: String = "https://example.com/a",
        fetchType: URLSessionTaskMetrics.ResourceFetchType = .networkLoad,
        details: Metrics.Details = Metrics.Details()
    ) throws -> Metrics {
        Metrics(
            request: URLRequest(url: try #require(URL(string: text))),
            response: nil,
            metrics: measurements.map { TransferMetrics($0) },
            started: start,
            fetchType: fetchType,
            details: details
        )
    }

    /// Expects a date that many milliseconds after the start, with less than 1 µs of rounding.
    private func expect(
        _ date: Date?,
        _ milliseconds: Double?,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let found = date.map { $0.timeIntervalSince(start) * 1_000 }
        switch (found, milliseconds) {
        case (let found?, let expected?):
            #expect(abs(found - expected) < 0.001, sourceLocation: location)
        default:
            #expect(found == milliseconds, sourceLocation: location)
        }
    }

    // MARK: Dates

    @Test("C18: Transaction metrics have the date of each phase")
    func transactionHasTheDateOfEachPhase() throws {
        let metrics = try metrics(measurements())
        expect(metrics.fetchStartDate, 0)
        expect(metrics.domainLookupStartDate, 5)
        expect(metrics.domainLookupEndDate, 6)
        expect(metrics.connectStartDate, 6)
        expect(metrics.secureConnectionStartDate, 8)
        expect(metrics.secureConnectionEndDate, 12)
        expect(metrics.connectEndDate, 12)
        expect(metrics.requestStartDate, 13)
        expect(metrics.requestEndDate, 13)
        expect(metrics.responseStartDate, 25)
        expect(metrics.responseEndDate, 55)
    }

    @Test func plainConnectionHasNoHandshakeDates() throws {
        let metrics = try metrics(measurements { $0.tlsEnd = nil }, url: "http://example.com/")
        expect(metrics.secureConnectionStartDate, nil)
        expect(metrics.secureConnectionEndDate, nil)
        expect(metrics.connectEndDate, 8)
    }

    @Test func reusedConnectionHasNoConnectDates() throws {
        let metrics = try metrics(measurements { $0.isConnectionReused = true })
        #expect(metrics.isReusedConnection)
        for date in [
            metrics.domainLookupStartDate, metrics.domainLookupEndDate, metrics.connectStartDate,
            metrics.secureConnectionStartDate, metrics.secureConnectionEndDate,
            metrics.connectEndDate,
        ] {
            #expect(date == nil)
        }
        expect(metrics.requestStartDate, 13)
    }

    @Test("C18: The dates of phases that a failed transfer didn't reach are nil")
    func unreachedPhasesHaveNoDates() throws {
        var measurements = TransferMeasurements()
        measurements.nameLookupEnd = 1_000_000
        measurements.connectEnd = 2_000_000
        measurements.total = 9_000_000
        let handshake = try metrics(measurements)
        expect(handshake.connectStartDate, 1)
        expect(handshake.secureConnectionStartDate, 2)
        expect(handshake.secureConnectionEndDate, nil)
        expect(handshake.connectEndDate, nil)
        expect(handshake.requestStartDate, nil)
        expect(handshake.requestEndDate, nil)
        expect(handshake.responseStartDate, nil)
        expect(handshake.responseEndDate, nil)
        let nothing = try metrics(TransferMeasurements())
        expect(nothing.fetchStartDate, 0)
        expect(nothing.domainLookupStartDate, nil)
        #expect(nothing.networkProtocolName == nil)
        #expect(nothing.remoteAddress == nil)
    }

    @Test func datesAfterARedirectAreTheLastRequests() throws {
        let metrics = try metrics(
            measurements {
                $0.lastRequestStart = 100_000_000
                $0.nameLookupEnd = 101_000_000
            }
        )
        expect(metrics.fetchStartDate, 105)
        expect(metrics.domainLookupStartDate, 105)
        expect(metrics.domainLookupEndDate, 106)
    }

    @Test func requestEndIsWhenItWasSent() throws {
        var details = Metrics.Details()
        details.requestSent = start.addingTimeInterval(0.021)
        expect(try metrics(measurements(), details: details).requestEndDate, 21)
        // The two clocks may differ.
        details.requestSent = start.addingTimeInterval(0.001)
        expect(try metrics(measurements(), details: details).requestEndDate, 13)
        details.requestSent = nil
        details.bodyBytes = 9
        expect(try metrics(measurements(), details: details).requestEndDate, 25)
    }

    @Test func cachedResponseHasNoPhases() throws {
        let metrics = try metrics(nil, fetchType: .localCache)
        #expect(metrics.resourceFetchType == .localCache)
        expect(metrics.fetchStartDate, 0)
        expect(metrics.requestStartDate, nil)
        expect(metrics.responseEndDate, nil)
        #expect(metrics.countOfResponseBodyBytesReceived == 0)
        #expect(metrics.networkProtocolName == nil)
    }

    // MARK: The connection

    @Test func metricsHaveAddressesAndTLS() throws {
        let connection = ConnectionInfo(
            remoteAddress: AddressText("192.0.2.1"),
            remotePort: 443,
            localAddress: AddressText("192.0.2.2"),
            localPort: 50_000,
            tls: TLSInfo(version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384")
        )
        let metrics = try metrics(measurements { $0.connection = connection })
        #expect(metrics.remoteAddress == "192.0.2.1")
        #expect(metrics.remotePort == "443")
        #expect(metrics.localAddress == "192.0.2.2")
        #expect(metrics.localPort == "50000")
        #expect(metrics.negotiatedTLSProtocolVersion == .TLSv13)
        #expect(metrics.negotiatedTLSCipherSuite == .AES_256_GCM_SHA384)
        #expect(!metrics.isCellular && !metrics.isExpensive && !metrics.isConstrained)
        #expect(!metrics.isMultipath && !metrics.isProxyConnection)
        #expect(metrics.domainResolutionProtocol == .unknown)
        var details = Metrics.Details()
        details.isProxied = true
        #expect(try self.metrics(measurements(), details: details).isProxyConnection)
    }

    @Test func unknownCipherSuiteIsNil() throws {
        let tls = TLSInfo(version: "TLSv9", cipher: "ECDHE-PSK-CAMELLIA256-SHA384")
        let metrics = try metrics(measurements { $0.connection = ConnectionInfo(tls: tls) })
        #expect(metrics.negotiatedTLSProtocolVersion == nil)
        #expect(metrics.negotiatedTLSCipherSuite == nil)
    }

    @Test(
        arguments: [
            (0, nil), (1, "http/1.0"), (2, "http/1.1"), (3, "h2"), (30, "h3"), (9, nil),
        ] as [(Int8, String?)]
    )
    func protocolHasItsALPNName(number: Int8, name: String?) throws {
        let metrics = try metrics(measurements { $0.httpVersion = number })
        #expect(metrics.networkProtocolName == name)
    }

    // MARK: Byte counts

    @Test func headersAndBodiesAreCountedSeparately() throws {
        var details = Metrics.Details()
        details.bodyBytes = 100
        details.bodyBytesSent = 60
        let metrics = try metrics(
            measurements {
                $0.requestBytes = 260
                $0.responseBytes = 1_300
                $0.responseHeadBytes = 300
                $0.bodyBytes = 5_000
            },
            details: details
        )
        #expect(metrics.countOfRequestHeaderBytesSent == 200)
        #expect(metrics.countOfRequestBodyBytesSent == 60)
        #expect(metrics.countOfRequestBodyBytesBeforeEncoding == 100)
        #expect(metrics.countOfResponseHeaderBytesReceived == 300)
        #expect(metrics.countOfResponseBodyBytesReceived == 1_000)
        #expect(metrics.countOfResponseBodyBytesAfterDecoding == 5_000)
    }

    // MARK: Descriptions and numbers

    @Test func descriptionShowsNoCredentials() throws {
        let metrics = try metrics(
            measurements(),
            url: "http://user:secret@example.com/path?secret"
        )
        #expect(metrics.description.contains("/path"))
        #expect(metrics.description.contains("Response End"))
        #expect(!metrics.description.contains("secret"))
        let interval = DateInterval(start: start, duration: 2)
        let all = URLSessionTaskMetrics(
            transactionMetrics: [metrics],
            taskInterval: interval,
            redirectCount: 3
        )
        #expect(all.transactionMetrics.first === metrics)
        #expect(all.taskInterval == interval)
        #expect(all.redirectCount == 3)
        #expect(all.description.contains("/path"))
        #expect(all.description.contains("(Redirect Count) 3"))
        #expect(!all.description.contains("secret"))
    }

    @Test func enumsHaveApplesNumbers() {
        typealias Fetch = URLSessionTaskMetrics.ResourceFetchType
        typealias Resolution = URLSessionTaskMetrics.DomainResolutionProtocol
        let fetches: [Fetch] = [.unknown, .networkLoad, .serverPush, .localCache]
        #expect(fetches.map(\.rawValue) == [0, 1, 2, 3])
        let resolutions: [Resolution] = [.unknown, .udp, .tcp, .tls, .https]
        #expect(resolutions.map(\.rawValue) == [0, 1, 2, 3, 4])
    }
}
