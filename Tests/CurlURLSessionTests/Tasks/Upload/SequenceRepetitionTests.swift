internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests uploads whose sequence has to be sent a second time.
@Suite(.timeLimit(.minutes(10))) struct SequenceRepetitionTests {
    private let made = Watched(0)

    /// A body that counts how often it is created.
    private var restartable: UploadSequence {
        UploadSequence(restartable: { [made] () -> AsyncStream<Data> in
            made.update { $0 += 1 }
            return Self.once
        })
    }

    private static var once: AsyncStream<Data> {
        SequenceUploads.sequence([Data("bo".utf8), Data("dy".utf8)])
    }

    private func redirecting(_ status: Int) throws -> LoopbackServer {
        try LoopbackServer { request in
            request.path == "/end" ? .bytes(request.body) : .redirect(status, to: "/end")
        }
    }

    // MARK: Redirects

    @Test("A restartable sequence is created again for a redirect", arguments: [307, 308])
    func restartableSequenceFollowsRedirects(_ status: Int) async throws {
        let server = try redirecting(status)
        let request = SequenceUploads.post(try server.at("/"))
        let (data, _) = try await URLSession.test().upload(for: request, from: restartable)
        #expect(data == Data("body".utf8))
        #expect(server.requests.map(\.bodyText) == ["body", "body"])
        #expect(made.read { $0 } == 2)
    }

    @Test("A sequence that can be sent once fails at a redirect, and no delegate is asked")
    func singleSequenceFailsAtARedirect() async throws {
        let server = try redirecting(307)
        let delegate = SessionDelegate {
            $0.bodyStream = { InputStream(data: Data("other".utf8)) }
        }
        let request = SequenceUploads.post(try server.at("/"))
        let error = try await urlError {
            _ = try await URLSession.test()
                .upload(for: request, from: Self.once, delegate: delegate)
        }
        #expect(error.code == .requestBodyStreamExhausted)
        #expect(server.requests.map(\.bodyText) == ["body"])
        #expect(!delegate.events.contains(.bodyStream))
    }

    @Test("A redirect that drops the body needs no second sequence")
    func redirectWithoutABodyIsFollowed() async throws {
        let server = try redirecting(303)
        let request = SequenceUploads.post(try server.at("/"))
        let (data, _) = try await URLSession.test().upload(for: request, from: Self.once)
        #expect(data.isEmpty)
        #expect(server.requests.map(\.method) == ["POST", "GET"])
    }

    // MARK: Challenges

    @Test("A restartable sequence is created again for a challenge")
    func restartableSequenceAnswersAChallenge() async throws {
        let server = try Asker.server.basic()
        let request = SequenceUploads.post(try server.at("/"))
        let (data, _) = try await URLSession.test().upload(
            for: request,
            from: restartable,
            delegate: SessionDelegate(password: "pass")
        )
        #expect(data == Data("in body".utf8))
        #expect(made.read { $0 } == 2)
    }

    @Test("A sequence that can be sent once fails when a challenge is answered")
    func singleSequenceFailsAtAChallenge() async throws {
        let server = try Asker.server.basic()
        let request = SequenceUploads.post(try server.at("/"))
        let delegate = SessionDelegate(password: "pass")
        let error = try await urlError {
            _ = try await URLSession.test()
                .upload(for: request, from: Self.once, delegate: delegate)
        }
        #expect(error.code == .requestBodyStreamExhausted)
        #expect(server.requestCount == 1)
    }

    // MARK: Lost connections

    @Test("A restartable sequence is created again when a reused connection is lost")
    func restartableSequenceSurvivesALostConnection() async throws {
        let server = try LoopbackServer.losingSecondRequest()
        let session = URLSession.test()
        _ = try await session.data(from: server.at("/"))
        var request = URLRequest(url: try server.at("/"))
        request.httpMethod = "PUT"
        let (data, _) = try await session.upload(for: request, from: restartable)
        #expect(data == Data("ok".utf8))
        #expect(server.requests.map(\.bodyText) == ["", "body", "body"])
        #expect(made.read { $0 } == 2)
    }

    @Test("A second upload of a sequence that can be sent once fails before it is sent")
    func secondUploadOfASingleSequenceFails() async throws {
        let server = try LoopbackServer { .bytes($0.body) }
        let session = URLSession.test()
        let sequence = UploadSequence(Self.once)
        #expect(!sequence.isRestartable)
        let request = SequenceUploads.post(try server.at("/"))
        let (data, _) = try await session.upload(for: request, from: sequence)
        #expect(data == Data("body".utf8))
        let error = try await urlError {
            _ = try await session.upload(for: request, from: sequence)
        }
        #expect(error.code == .requestBodyStreamExhausted)
        #expect(server.requestCount == 1)
    }
}
