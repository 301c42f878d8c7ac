import CurlTransport
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CurlURLSession

/// Tests what servers and proxies observe of a configuration.
@Suite(.timeLimit(.minutes(10))) struct SettingsOnTheWireTests {
    private struct Answer {
        let status: Int
        let text: String
        let metrics: TransferMetrics?
    }

    private func fetch(
        _ text: String,
        timeout: TimeInterval = 120,
        _ change: (URLSessionConfiguration) throws -> Void = { _ in }
    ) async throws -> Answer {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeout
        try change(configuration)
        let settings = configuration.frozen()
        let request = URLRequest(url: try #require(URL(string: text)))
        let client = try HTTPClient(configuration: settings.transportConfiguration())
        let response = try await client.send(
            HTTPRequest(url: text),
            options: settings.options(for: request)
        )
        let body = try await response.body.collect(upTo: 1 << 20)
        return Answer(
            status: response.statusCode,
            text: String(decoding: body, as: UTF8.self),
            metrics: response.metrics
        )
    }

    private func failure(
        _ text: String,
        timeout: TimeInterval = 120,
        _ change: (URLSessionConfiguration) throws -> Void = { _ in }
    ) async throws -> URLError.Code? {
        do {
            _ = try await fetch(text, timeout: timeout, change)
            return nil
        } catch let error as TransportError {
            return URLError(error, url: nil).code
        }
    }

    // MARK: Timeouts

    @Test("C1: A timeout below one second is neither ignored nor zero")
    func timeoutBelowOneSecondApplies() async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        defer { server.stop() }
        let start = ContinuousClock.now
        #expect(try await failure(server.url, timeout: 0.4) == .timedOut)
        #expect(ContinuousClock.now - start >= .milliseconds(400))
    }

    @Test("C1: A response that arrives within the timeout is received")
    func responseWithinTheTimeoutIsReceived() async throws {
        let server = try LoopbackServer { _ in .text("late").after(.milliseconds(200)) }
        defer { server.stop() }
        #expect(try await fetch(server.url, timeout: 20.9).text == "late")
    }

    // MARK: Proxies

    @Test("C21: Plain HTTP requests use the dictionary's proxy and its credentials")
    func httpGoesThroughTheDictionarysProxy() async throws {
        let proxy = try LoopbackServer { _ in .text("proxied") }
        defer { proxy.stop() }
        let port = proxy.port
        let answer = try await fetch("http://nowhere.invalid/x?y") {
            $0.connectionProxyDictionary = [
                "HTTPEnable": 1, "HTTPProxy": "127.0.0.1", "HTTPPort": port,
                "kCFProxyUsernameKey": "u", "kCFProxyPasswordKey": "p",
            ]
        }
        #expect(answer.text == "proxied")
        let request = try await proxy.request(0)
        #expect(request.target == "http://nowhere.invalid/x?y")
        #expect(request.header("Host") == "nowhere.invalid")
        #expect(request.header("Proxy-Authorization") == "Basic dTpw")
    }

    @Test("C21: A proxy for HTTPS isn't used for HTTP, and exceptions bypass a proxy")
    func aProxyForHTTPSIsNoneForHTTP() async throws {
        let server = try LoopbackServer { _ in .text("direct") }
        defer { server.stop() }
        let unused = try LoopbackServer.unusedPort()
        let other = try await fetch(server.url) {
            $0.connectionProxyDictionary = [
                "HTTPSEnable": 1, "HTTPSProxy": "127.0.0.1", "HTTPSPort": unused,
            ]
        }
        #expect(other.text == "direct")
        let dictionary: @Sendable ([String]) -> [AnyHashable: Any] = {
            [
                "HTTPEnable": 1, "HTTPProxy": "127.0.0.1", "HTTPPort": unused,
                "ExceptionsList": $0,
            ]
        }
        for list in [["127/8"], ["*.example", "127.0.0.1"], ["*"]] {
            let answer = try await fetch(server.url) {
                $0.connectionProxyDictionary = dictionary(list)
            }
            #expect(answer.text == "direct", "\(list)")
        }
        let refused = try await failure(server.url) {
            $0.connectionProxyDictionary = dictionary(["*.example"])
        }
        #expect(refused == .cannotConnectToHost)
    }

    @Test(
        "C21: HTTPS requests use a CONNECT tunnel or a SOCKS proxy",
        .enabled(if: NginxPeer.isAvailable && SquidPeer.isAvailable && SOCKSPeer.isAvailable)
    )
    func httpsGoesThroughATunnelAndThroughSOCKS() async throws {
        let nginx = try await NginxPeer.shared()
        let squid = try await SquidPeer.start()
        defer { squid.stop() }
        let socks = try await SOCKSPeer.start()
        defer { socks.stop() }
        for (name, port) in [("HTTPS", squid.port), ("SOCKS", socks.port)] {
            let answer = try await fetch(nginx.url(.https)) {
                $0.tlsConfiguration.trustRoots = .file(nginx.certificates.authority)
                $0.connectionProxyDictionary = [
                    "\(name)Enable": 1, "\(name)Proxy": "127.0.0.1", "\(name)Port": port,
                ]
            }
            #expect(answer.text == "hello, world\n")
            #expect(answer.metrics?.remotePort == port)
        }
    }

    @Test func proxyAndServerConnectionsAreDistinguished() async throws {
        let proxy = try LoopbackServer { _ in .text("ok") }
        defer { proxy.stop() }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.connectionProxyDictionary = [
            "HTTPEnable": 1, "HTTPProxy": "127.0.0.1", "HTTPPort": proxy.port,
        ]
        let settings = configuration.frozen()
        let metrics = try #require(try await fetch(proxy.url).metrics)
        #expect(settings.isProxied(metrics, url: URL(string: "http://nowhere.invalid/")))
        #expect(!settings.isProxied(metrics, url: URL(string: "https://nowhere.invalid/")))
        #expect(!URLSessionConfiguration.ephemeral.frozen().isProxied(metrics, url: nil))
        let server = try LoopbackServer { _ in .text("ok") }
        defer { server.stop() }
        let direct = try #require(try await fetch(server.url).metrics)
        #expect(!settings.isProxied(direct, url: URL(string: server.url)))
    }

    // MARK: TLS

    @Test("D5: A custom certificate authority is trusted", .enabled(if: NginxPeer.isAvailable))
    func customCertificateAuthorityIsTrusted() async throws {
        let nginx = try await NginxPeer.shared()
        let authority = nginx.certificates.authority
        let trusted = try await fetch(nginx.url(.https)) {
            $0.tlsConfiguration.trustRoots = .file(authority)
        }
        #expect(trusted.text == "hello, world\n")
        #expect(try await failure(nginx.url(.https)) == .serverCertificateHasUnknownRoot)
    }

    @Test("D5: A client presents its certificate", .enabled(if: NginxPeer.isAvailable))
    func clientPresentsItsCertificate() async throws {
        let nginx = try await NginxPeer.shared()
        let certificates = nginx.certificates
        let url = nginx.url(.clientCertificate)
        let known = try await fetch(url) {
            $0.tlsConfiguration.trustRoots = .file(certificates.authority)
            $0.tlsConfiguration.clientIdentity = .pkcs12File(
                certificates.clientPKCS12,
                password: certificates.password
            )
        }
        #expect(known.status == 200)
        let stranger = try await fetch(url) {
            $0.tlsConfiguration.trustRoots = .file(certificates.authority)
        }
        #expect(stranger.status == 400)
    }

    @Test("D5: Minimum and maximum TLS versions are enforced", .enabled(if: NginxPeer.isAvailable))
    func versionsOfTLSHaveAMinimumAndAMaximum() async throws {
        let nginx = try await NginxPeer.shared()
        let authority = nginx.certificates.authority
        let old = try await fetch(nginx.url(.https)) {
            $0.tlsConfiguration.trustRoots = .file(authority)
            $0.tlsMaximumSupportedProtocolVersion = .TLSv12
        }
        #expect(old.metrics?.tlsVersion == "TLSv1.2")
        let refused = try await failure(nginx.url(.tls12)) {
            $0.tlsConfiguration.trustRoots = .file(authority)
            $0.tlsMinimumSupportedProtocolVersion = .TLSv13
        }
        #expect(refused == .secureConnectionFailed)
    }

    @Test("D5: A server key that isn't pinned is refused", .enabled(if: NginxPeer.isAvailable))
    func unpinnedServerKeyIsRefused() async throws {
        let nginx = try await NginxPeer.shared()
        let certificates = nginx.certificates
        let pinned = try await fetch(nginx.url(.https)) {
            $0.tlsConfiguration.trustRoots = .file(certificates.authority)
            $0.tlsConfiguration.publicKeyPins = [certificates.serverPin]
        }
        #expect(pinned.status == 200)
        let refused = try await failure(nginx.url(.https)) {
            $0.tlsConfiguration.trustRoots = .file(certificates.authority)
            $0.tlsConfiguration.publicKeyPins = [String(repeating: "A", count: 43) + "="]
        }
        #expect(refused == .serverCertificateUntrusted)
    }
}
