import CurlTransport
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CurlURLSession

/// Tests errors that real servers cause.
@Suite(.timeLimit(.minutes(10))) struct FailureTests {
    private func failure(
        _ url: String,
        _ change: (inout TransferOptions) -> Void = { _ in }
    ) async throws -> URLError {
        var options = TransferOptions()
        options.timeouts = Timeouts(connect: .seconds(60), idle: .seconds(60))
        change(&options)
        do {
            let client = try HTTPClient(options: options)
            let response = try await client.send(HTTPRequest(url: url))
            _ = try await response.body.collect(upTo: 1 << 20)
        } catch {
            return URLError(error, url: URL(string: url))
        }
        throw UnexpectedSuccess()
    }

    private struct UnexpectedSuccess: Error {}

    @Test(
        "D6: Each kind of certificate fault has its own URLError code",
        .enabled(if: NginxPeer.isAvailable),
        arguments: [
            (NginxPeer.Port.expired, -1201), (.notYetValid, -1204), (.otherHost, -1202),
            (.selfSigned, -1203),
        ]
    )
    func eachCertificateFaultHasItsOwnErrorCode(
        port: NginxPeer.Port,
        number: Int
    ) async throws {
        let nginx = try await NginxPeer.shared()
        let authority = nginx.certificates.authority
        let error = try await failure(nginx.url(port)) { $0.tls.trustRoots = .file(authority) }
        #expect(error.errorCode == number)
        #expect(error.failingURL?.port == nginx.port(port))
        let cause = try #require(error.userInfo[NSUnderlyingErrorKey] as? TransportError)
        #expect(cause.curlCode == 60)
        #expect(cause.isTLS)
    }

    @Test("D6: An HTTPS request to a server without TLS is an error")
    func serverWithoutTLSIsAnError() async throws {
        let server = try LoopbackServer.scripted([
            .send("HTTP/1.1 200 OK\r\n\r\n"), .readUntilClosed,
        ])
        defer { server.stop() }
        let error = try await failure("https://localhost:\(server.port)/")
        #expect(error.code == .secureConnectionFailed)
    }

    @Test func refusedAndLostConnectionsDiffer() async throws {
        let port = try LoopbackServer.unusedPort()
        #expect(try await failure("http://127.0.0.1:\(port)/").code == .cannotConnectToHost)
        let server = try LoopbackServer.scripted([.readHead, .close])
        defer { server.stop() }
        #expect(try await failure(server.url).code == .networkConnectionLost)
    }

    @Test func exceededLimitIsATimeout() async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        defer { server.stop() }
        let error = try await failure(server.url) { $0.timeouts.idle = .milliseconds(300) }
        #expect(error.code == .timedOut)
    }

    @Test(
        "D7: Schemes other than http and https aren't loaded",
        arguments: ["ftp", "gopher", "sftp"]
    )
    func otherSchemesAreNotLoaded(scheme: String) async throws {
        #expect(try await failure("\(scheme)://h/p").code == .unsupportedURL)
    }

    @Test("D7: A redirect to another scheme isn't followed")
    func redirectToAnotherSchemeIsNotFollowed() async throws {
        let server = try LoopbackServer { _ in .redirect(to: "ftp://127.0.0.1/secret") }
        defer { server.stop() }
        #expect(try await failure(server.url).code == .redirectToNonExistentLocation)
        #expect(server.requestCount == 1)
    }
}
