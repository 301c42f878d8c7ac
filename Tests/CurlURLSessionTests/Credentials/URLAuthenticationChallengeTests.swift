import Foundation
import Testing

@testable import CurlURLSession

struct URLAuthenticationChallengeTests {
    private final class Sender: NSObject, URLAuthenticationChallengeSender {
        func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
        func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
        func cancel(_ challenge: URLAuthenticationChallenge) {}
        func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
        func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
    }

    @Test func challengeHasItsInitialValues() throws {
        let url = try #require(URL(string: "http://example.com/"))
        let space = URLProtectionSpace(
            host: "example.com",
            port: 80,
            protocol: "http",
            realm: nil,
            authenticationMethod: nil
        )
        let credential = URLCredential(
            user: "u",
            password: "p",
            persistence: .none
        )
        let response = HTTPURLResponse(
            url: url,
            statusCode: 401,
            httpVersion: nil,
            headerFields: nil
        )
        let sender = Sender()
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space,
            proposedCredential: credential,
            previousFailureCount: 2,
            failureResponse: response,
            error: URLError(.timedOut),
            sender: sender
        )
        let other = Sender()
        let passedOn = URLAuthenticationChallenge(
            authenticationChallenge: challenge,
            sender: other
        )
        for (challenge, sender) in [(challenge, sender), (passedOn, other)] {
            #expect(challenge.protectionSpace === space)
            #expect(challenge.proposedCredential === credential)
            #expect(challenge.previousFailureCount == 2)
            #expect(challenge.failureResponse === response)
            #expect((challenge.error as? URLError)?.code == .timedOut)
            #expect(challenge.sender === sender)
        }
    }
}
