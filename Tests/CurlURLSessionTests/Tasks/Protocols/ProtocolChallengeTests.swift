import CurlURLSession
import Foundation
import TestSupport
import Testing

/// Records the answers to a challenge.
private final class Sender: NSObject, URLAuthenticationChallengeSender {
    let answers = EventRecorder<String>()
    private let then: @Sendable (String) -> Void

    init(_ then: @escaping @Sendable (String) -> Void = { _ in }) {
        self.then = then
    }

    private func note(_ answer: String) {
        answers.record(answer)
        then(answer)
    }

    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {
        note("use \(credential.user ?? "")")
    }

    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) { note("without") }

    func cancel(_ challenge: URLAuthenticationChallenge) { note("cancel") }

    func performDefaultHandling(for challenge: URLAuthenticationChallenge) { note("default") }

    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {
        note("reject")
    }
}

@Suite(.timeLimit(.minutes(10)))
struct ProtocolChallengeTests {
    private static let credential = URLCredential(
        user: "ada",
        password: "secret",
        persistence: .none
    )

    private func challenge(_ sender: Sender) -> URLAuthenticationChallenge {
        URLAuthenticationChallenge(
            protectionSpace: URLProtectionSpace(
                host: "mock.invalid",
                port: 443,
                protocol: "https",
                realm: "mocks",
                authenticationMethod: NSURLAuthenticationMethodHTTPBasic
            ),
            proposedCredential: nil,
            previousFailureCount: 0,
            failureResponse: nil,
            error: nil,
            sender: sender
        )
    }

    /// A URL whose mock sends a challenge and responds with the answer.
    private func url(_ senders: EventRecorder<Sender> = EventRecorder()) throws -> URL {
        try ScriptedMock.url { mock in
            let sender = Sender { answer in mock.answer(answer) }
            senders.record(sender)
            mock.client?.urlProtocol(mock, didReceive: challenge(sender))
        }
    }

    @Test(arguments: [
        (URLSession.AuthChallengeDisposition.useCredential, true, "use ada"),
        (.useCredential, false, "without"),
        (.performDefaultHandling, false, "default"),
        (.rejectProtectionSpace, false, "reject"),
    ])
    func delegatesAnswerReachesTheSender(
        disposition: URLSession.AuthChallengeDisposition,
        hasCredential: Bool,
        expected: String
    ) async throws {
        let journal = TaskJournal(answering: { _ in
            (disposition, hasCredential ? Self.credential : nil)
        })
        let mocks = MockSession(delegate: journal)
        mocks.session.dataTask(with: try url()).resume()
        let entries = try await journal.entriesToEnd()
        #expect(
            entries
                == ["challenge mocks", "response 200", "data " + expected, "metrics", "completed"]
        )
    }

    @Test func cancelledChallengeCancelsTheTask() async throws {
        let senders = EventRecorder<Sender>()
        let url = try ScriptedMock.url { mock in
            let sender = Sender()
            senders.record(sender)
            mock.client?.urlProtocol(mock, didReceive: challenge(sender))
        }
        let journal = TaskJournal(answering: { _ in (.cancelAuthenticationChallenge, nil) })
        let mocks = MockSession(delegate: journal)
        mocks.session.dataTask(with: url).resume()
        let entries = try await journal.entriesToEnd()
        #expect(entries == ["challenge mocks", "metrics", "completed -999"])
        #expect(senders.events.first?.answers.events == ["cancel"])
    }

    @Test func defaultHandlingAppliesWithoutADelegate() async throws {
        #expect(try await MockSession().text(url()).0 == "default")
    }

    @Test func withdrawnChallengeIsNotAnswered() async throws {
        let sender = Sender()
        let (asked, answered) = (Gate(), Gate())
        let url = try ScriptedMock.url { mock in
            let challenge = challenge(sender)
            mock.client?.urlProtocol(mock, didReceive: challenge)
            asked.waitBlocking()
            mock.client?.urlProtocol(mock, didCancel: challenge)
            mock.answer("anyway")
            answered.open()
        }
        let journal = TaskJournal(answering: { _ in
            asked.open()
            answered.waitBlocking()
            return (.useCredential, Self.credential)
        })
        let mocks = MockSession(delegate: journal)
        mocks.session.dataTask(with: url).resume()
        #expect(try await journal.entriesToEnd().last == "completed")
        #expect(sender.answers.events.isEmpty)
    }
}
