internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Servers that the manager of a journal doesn't trust.
@Suite(.enabled(if: NginxPeer.isAvailable), .timeLimit(.minutes(10)))
struct JournalTrustTests {
    private let fixture: JournalFixture

    init() throws {
        fixture = try JournalFixture()
    }

    @Test("S-42, S-43, T-04: A job whose server isn't trusted fails with the reason")
    func jobFailsWithReasonWhenServerIsUntrusted() async throws {
        let text = try await NginxPeer.shared().url(.selfSigned)
        let request = URLRequest(url: try #require(URL(string: text)))
        let manager = URLSessionManager.test { $0.urlCache = nil }
        let journal = try fixture.journal(manager)
        try await journal.download(request, to: fixture.file("file"), id: "a")
        let job = try await journal.outcome(of: "a")
        #expect((job.state, job.attempts) == (.failed, 1))
        let failure = try #require(job.failure)
        #expect((failure.domain, failure.code) == (NSURLErrorDomain, -1202))
        #expect(failure.message.contains("pretending to be “localhost”"))
        #expect(failure.message.hasSuffix("trusted authority."), "\(failure.message)")
        #expect(!failure.isTransient)
        // The error of a challenge handler is reported, too.
        manager.setAuthenticationChallengeHandler { _, _, _, _ in
            .fail(NSError(domain: "Shop", code: 7, userInfo: [NSLocalizedDescriptionKey: "No."]))
        }
        try await journal.resume("a")
        let refused = try #require(try await journal.outcome(of: "a").failure)
        #expect((refused.domain, refused.code, refused.message) == ("Shop", 7, "No."))
        let file = URL(fileURLWithPath: try fixture.files.write("content", to: "source"))
        manager.setAuthenticationChallengeHandler(nil)
        try await journal.upload(request, fromFile: file, id: "b")
        #expect(try await journal.outcome(of: "b").failure?.code == -1202)
    }
}
