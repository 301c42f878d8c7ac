internal import CurlTransport
internal import Foundation
internal import Testing

@testable internal import CurlURLSession

@Suite struct OfferedAuthenticationTests {
    @Test func fieldCanHaveSeveralChallenges() {
        let offered = OfferedAuthentication.list([
            "Basic realm=\"a, b\", Digest realm=\"c \\\"d\\\"\", nonce=xyz, qop=\"auth,auth-int\"",
            "NTLM", "Negotiate YII==, Bearer",
        ])
        #expect(
            offered.map(\.scheme) == ["Basic", "Digest", "NTLM", "Negotiate", "Bearer"]
        )
        #expect(offered[0]["realm"] == "a, b")
        #expect(offered[1]["realm"] == "c \"d\"")
        #expect(offered[1]["nonce"] == "xyz")
        #expect(offered[1]["qop"] == "auth,auth-int")
        #expect(offered[2].parameters.isEmpty)
    }

    @Test(arguments: ["", ",", " , ,", "=", "=x", "\"", "realm=\"x\"", ", realm=x,"])
    func invalidChallengeIsSkipped(_ text: String) {
        let offered = OfferedAuthentication.list([text])
        #expect(offered.allSatisfy { !$0.scheme.isEmpty })
        #expect(offered.count <= 1)
    }

    @Test("A scheme that the installed libcurl lacks isn't supported")
    func missingSchemeIsNotSupported() {
        #expect(AuthenticationScheme(name: "ntlm", available: [.basic, .ntlm]) == .ntlm)
        #expect(AuthenticationScheme(name: "NTLM", available: [.basic, .negotiate]) == nil)
        #expect(AuthenticationScheme(name: "Negotiate", available: [.basic, .ntlm]) == nil)
        #expect(AuthenticationScheme(name: "Basic", available: [.basic]) == .basic)
    }

    @Test func strongestSchemeIsPreferred() throws {
        let url = try #require(URL(string: "http://example.org:8080/x"))
        let offered = OfferedAuthentication.list([
            "Basic realm=b, Bearer, Negotiate, Digest realm=d"
        ])
        var round = try #require(ChallengeRound(offered, url: url))
        #expect(round.first?.scheme == .negotiate)
        #expect(round.rejectFirst() == true)
        let first = try #require(round.first)
        #expect(first.scheme == .digest)
        #expect(first.space.realm == "d")
        #expect(first.space.host == "example.org")
        #expect(first.space.port == 8080)
        #expect(first.space.protocol == "http")
        #expect(first.space.authenticationMethod == NSURLAuthenticationMethodHTTPDigest)
        #expect(round.rejectFirst() == true)
        #expect(round.first?.scheme == .basic)
        #expect(round.rejectFirst() == false)
        #expect(ChallengeRound(OfferedAuthentication.list(["Bearer"]), url: url) == nil)
    }
}
