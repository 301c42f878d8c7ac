import CurlTransport
import Foundation
import TestSupport
import Testing

/// Certificates that are replaced while a client runs.
@Suite(.enabled(if: NginxPeer.isAvailable), .timeLimit(.minutes(10)))
struct RotationTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// Atomically replaces a file with a copy of another.
    private func replace(_ name: String, by source: String) throws {
        try folder.write(TemporaryDirectory.bytes(ofFile: source), to: "next")
        try #require(rename(folder.path("next"), folder.path(name)) == 0)
    }

    @Test("The next connection uses replaced trust roots")
    func replacedRootsCountForTheNextConnection() async throws {
        let peer = try await NginxPeer.shared()
        let (right, wrong) = (peer.certificates.authority, peer.certificates.selfSigned.certificate)
        try replace("ca.pem", by: right)
        let client = try PeerClient {
            $0.tls.trustRoots = .file(folder.path("ca.pem"))
            $0.reusesConnection = false
        }
        let url = peer.url(.https, "/hello.txt")
        #expect(try await client.fetch(url).status == 200)
        try replace("ca.pem", by: wrong)
        #expect(await client.failure(url)?.code == .certificateUntrusted)
        try replace("ca.pem", by: right)
        #expect(try await client.fetch(url).status == 200)
    }

    @Test(
        "The next connection presents a replaced client identity",
        arguments: [TLSVersion.v1_2, .v1_3]
    )
    func replacedIdentityIsShownByTheNextConnection(_ version: TLSVersion) async throws {
        let peer = try await NginxPeer.shared()
        let (first, second) = (peer.certificates.client, peer.certificates.otherClient)
        try replace("client.pem", by: first.certificate)
        try replace("client.key", by: first.key)
        let client = try PeerClient {
            $0.tls.clientIdentity = .pemFiles(
                certificate: folder.path("client.pem"),
                key: folder.path("client.key")
            )
            $0.tls.maximumVersion = version
            $0.reusesConnection = false
        }
        let url = peer.url(.clientCertificate, "/client")
        #expect(try await client.fetch(url).text == "SUCCESS CN=Test Client\n")
        try replace("client.pem", by: second.certificate)
        try replace("client.key", by: second.key)
        #expect(try await client.fetch(url).text == "SUCCESS CN=Other Client\n")
        // The new identity's own TLS session is resumed.
        #expect(try await client.fetch(url).text == "SUCCESS CN=Other Client\n")
        let connection = try await client.fetch(peer.url(.clientCertificate, "/connection")).text
        #expect(connection.split(separator: " ").dropFirst(3).first == "r", "\(connection)")
    }

    @Test("Options keep their own trust roots in memory when descriptors are reused")
    func rootsInMemoryAreThoseOfTheirOptions() async throws {
        let peer = try await NginxPeer.shared()
        let paths = [peer.certificates.authority, peer.certificates.selfSigned.certificate]
        let client = try PeerClient()
        let url = peer.url(.https, "/hello.txt")
        for round in 0..<6 {
            let isRight = round % 2 == 0
            let bytes = try TemporaryDirectory.bytes(ofFile: paths[round % 2])
            let options = try PeerClient.options {
                $0.tls.trustRoots = .pem(bytes)
                $0.reusesConnection = false
            }
            let error = await client.failure(url, options: options)
            #expect(error?.code == (isRight ? nil : .certificateUntrusted))
        }
    }
}
