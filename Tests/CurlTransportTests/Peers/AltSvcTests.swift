import CurlTransport
import TestSupport
import Testing

/// HTTP/3 for origins that announce it, if libcurl and nginx support it.
///
/// nginx is the server. `happyEyeballsDelay` keeps TCP from being faster on a busy machine.
@Suite(
    .enabled(if: HTTPVersionPolicy.offersHTTP3 && NginxPeer.speaksHTTP3),
    .timeLimit(.minutes(10))
)
struct AltSvcTests {
    /// The HTTP versions of sequential requests; `new` marks a new connection.
    private func versions(
        _ count: Int,
        _ client: PeerClient,
        _ url: String
    ) async throws -> [String] {
        var versions: [String] = []
        for _ in 0..<count {
            let metrics = try await client.fetch(url).metrics
            let suffix = metrics.isConnectionReused ? "" : " new"
            versions.append((metrics.httpVersion ?? "") + suffix)
        }
        return versions
    }

    @Test("Alt-Svc announcements are ignored by default")
    func announcementIsNotFollowedByDefault() async throws {
        let url = try await NginxPeer.shared().url(.http3, "/alt-svc")
        let client = try PeerClient { $0.httpVersion = .http2 }
        #expect(try await versions(3, client, url) == ["2 new", "2", "2"])
    }

    @Test("Requests use HTTP/3 after an Alt-Svc announcement")
    func requestsFollowAnAnnouncement() async throws {
        let url = try await NginxPeer.shared().url(.http3, "/alt-svc")
        let client = try PeerClient {
            $0.httpVersion = .http2
            $0.usesAltSvc = true
            $0.happyEyeballsDelay = .seconds(50)
        }
        try await allowingLostStreams {
            let versions = try await versions(4, client, url)
            #expect(versions == ["2 new", "3 new", "3", "3"])
        }
    }

    @Test("An HTTP/3 connection that is announced is only opened to allowed addresses")
    func announcedConnectionObeysAddressScope() async throws {
        let url = try await NginxPeer.shared().url(.http3, "/alt-svc")
        let client = try PeerClient {
            $0.httpVersion = .http2
            $0.usesAltSvc = true
            $0.happyEyeballsDelay = .seconds(50)
            $0.addressScope = .publicOnly.allowing(["127.0.0.1", "::1"])
        }
        try await allowingLostStreams {
            let versions = try await versions(4, client, url)
            #expect(versions == ["2 new", "3 new", "3", "3"])
        }
        for version in [HTTPVersionPolicy.http2, .http3] {
            let limited = try PeerClient.options {
                $0.httpVersion = version
                $0.usesAltSvc = true
                $0.addressScope = .publicOnly
            }
            let error = await client.failure(url, options: limited)
            #expect(error?.code == .addressRefused, "\(error as Any)")
        }
    }

    @Test("Concurrent requests use HTTP/3 after an Alt-Svc announcement")
    func requestsInFlightTogetherFollowAnAnnouncement() async throws {
        let url = try await NginxPeer.shared().url(.http3, "/alt-svc")
        let client = try PeerClient {
            $0.usesAltSvc = true
            $0.happyEyeballsDelay = .seconds(50)
        }
        for round in 0..<3 {
            try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await client.fetch(url).metrics.httpVersion }
                }
                for try await version in group {
                    #expect(round == 0 || version == "3")
                }
            }
        }
    }

    @Test("An announced server that can't be reached is tried once and then skipped")
    func unreachableAnnouncementIsBlocked() async throws {
        let url = try await NginxPeer.shared().url(.https, "/alt-svc")
        let client = try PeerClient {
            $0.httpVersion = .http2
            $0.usesAltSvc = true
            $0.happyEyeballsDelay = .seconds(50)
        }
        #expect(try await versions(4, client, url) == ["2 new", "2 new", "2", "2"])
    }
}
