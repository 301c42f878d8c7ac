internal import HTTPTypes
internal import TestSupport
internal import Testing

@testable internal import CurlTransport

/// Origins that speak HTTP/2, on a transport with two loops, whose load the tests report.
@Suite(.timeLimit(.minutes(10)), .enabled(if: StreamLimitPeer.isAvailable))
struct SpreadStreamTests {
    @Test("An origin that speaks HTTP/2 stays on its loop while a connection has free streams")
    func originStaysOnLoopWhileStreamsAreFree() async throws {
        let peer = try await StreamLimitPeer.start(limit: 200)
        defer { peer.stop() }
        var configuration = TransportConfiguration()
        configuration.eventLoopCount = 2
        let transport = try Transport(configuration: configuration, measuresLoad: false)
        let options = try PeerClient.options { $0.httpVersion = .http2 }
        let key = LoopKey(try HTTPRequest(url: peer.url("/held")))
        let overload = LoadWindow(percent: 100, elapsed: Overload.patience + Overload.settling)

        // The first response shows the version.
        let first = try SteadyLoad(transport, peer.url("/item"), total: 1, options: options)
        first.start(1)
        try await first.completions(1)
        let load = try SteadyLoad(transport, peer.url("/held"), total: 120, options: options)
        load.start(60)
        let other = try PeerClient { $0.httpVersion = .http2 }
        _ = try await other.fetch(peer.url("/await/held/60"))
        await transport.report(overload, ofLoop: key.home(of: 2))
        #expect(transport.spread?.origin(for: key, route: "") == nil)
        load.start(60)
        _ = try await other.fetch(peer.url("/await/held/120"))
        await transport.report(overload, ofLoop: key.home(of: 2))
        #expect(transport.spread?.origin(for: key, route: "") != nil)

        let further = try SteadyLoad(transport, peer.url("/held"), total: 20, options: options)
        further.start(20)
        _ = try await other.fetch(peer.url("/await/held/140"))
        _ = try await other.fetch(peer.url("/release"))
        let counts = try await load.completions(120)
        #expect(counts.byLoop == [key.home(of: 2): 120])
        let furtherCounts = try await further.completions(20)
        #expect(furtherCounts.byLoop == [0: 10, 1: 10])
        #expect(counts.failures.isEmpty && furtherCounts.failures.isEmpty)
        await transport.shutdown()
    }
}
