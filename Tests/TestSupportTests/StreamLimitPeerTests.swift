internal import TestSupport
internal import Testing

@Suite(.enabled(if: Curl.isAvailable && StreamLimitPeer.isAvailable), .timeLimit(.minutes(10)))
struct StreamLimitPeerTests {
    @Test("Streams of counted paths are counted, and the counts are forgotten on request")
    func streamsAreCounted() async throws {
        let peer = try await StreamLimitPeer.start(limit: 2)
        defer { peer.stop() }
        let item = peer.url("/item")
        let first = try await Curl.run("--insecure", item, item, peer.url("/report"))
        #expect(first.output.hasPrefix("donedonerequests=2 peak=1 exceeded=0 refused=0 "))
        #expect(first.output.hasSuffix(" connections=1"))
        let second = try await Curl.run("--insecure", peer.url("/forget"))
        #expect(second.output.hasPrefix("requests=0 peak=0 "))
    }
}
