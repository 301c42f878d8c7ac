internal import CurlTransport
internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// What a session does if the installed libcurl has no NTLM, as on Debian sid.
@Suite(
    .timeLimit(.minutes(10)),
    .disabled(
        if: ProxyServer.AuthenticationKinds.available.contains(.ntlm),
        "libcurl has NTLM: NTLMTests test it"
    )
)
struct MissingNTLMTests {
    @Test("Without NTLM in libcurl, the next scheme is used", arguments: [Asker.server, .proxy])
    func nextSchemeIsUsed(_ asker: Asker) async throws {
        let server = try LoopbackServer { request in
            asker.proof(request)?.hasPrefix("Basic ") == true
                ? .text("in") : asker.refusal("NTLM, Basic realm=\"Gate\"")
        }
        let delegate = SessionDelegate(password: "pass")
        let session = asker.session(server.port)
        let (data, _) = try await session.data(from: asker.url(server.port), delegate: delegate)
        #expect(String(decoding: data, as: UTF8.self) == "in")
        #expect(
            delegate.challenges.map(\.protectionSpace.authenticationMethod) == [
                NSURLAuthenticationMethodHTTPBasic
            ]
        )
    }
}
