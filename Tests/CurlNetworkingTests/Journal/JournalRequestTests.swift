internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// The requests of a job, before and after a restart.
@Suite(.timeLimit(.minutes(10))) struct JournalRequestTests {
    private let fixture: JournalFixture

    init() throws {
        fixture = try JournalFixture()
    }

    @Test("S-02: After a restart, the manager's secrets are sent only to the manager's own server")
    func managerSecretsGoOnlyToItsServerAfterRestart() async throws {
        let server = try LoopbackServer { _ in .steps([.stall]) }
        let manager = HTTPSessionManager.forTest("http://localhost:\(server.port)/")
        let first = try fixture.journal(manager)
        var request = try server.request()
        request.setValue("Bearer old", forHTTPHeaderField: "Authorization")
        try await first.download(request, to: fixture.file("file"), id: "a")
        #expect(try await server.request(0).header("Authorization") == "Bearer old")
        await first.close()
        manager.requestSerializer.setValue("Bearer new", forHTTPHeaderField: "Authorization")
        let second = try fixture.journal(manager)
        try await second.restore()
        #expect(try await server.request(1).header("Authorization") == nil)
        await second.close()
    }

    @Test("S-02: A job resumed in the same process sends its omitted headers again")
    func jobResumedInSameProcessSendsOmittedHeaders() async throws {
        let isGone = Watched(true)
        let server = try LoopbackServer { _ in
            isGone.read { $0 } ? .status(404) : .text("hello")
        }
        let journal = try fixture.journal()
        var request = try server.request()
        request.setValue("Bearer s3cret", forHTTPHeaderField: "Authorization")
        try await journal.download(request, to: fixture.file("file"), id: "a")
        #expect(try await journal.outcome(of: "a").state == .failed)
        isGone.update { $0 = false }
        try await journal.resume("a")
        #expect(try await journal.outcome(of: "a").state == .finished)
        let sent = server.requests.map { $0.header("Authorization") }
        #expect(sent == ["Bearer s3cret", "Bearer s3cret"])
    }

    @Test(
        "S-02, S-40: Omitted headers don't follow a redirect to another origin",
        arguments: [TransferJob.Kind.download, .upload]
    )
    func secretsStayWithTheirOrigin(_ kind: TransferJob.Kind) async throws {
        let content = Content.numbered(1, count: 1000)
        let written = Gate()
        let elsewhere = try LoopbackServer { request in
            guard request.method == "GET", content.offset(asked: request) == nil else {
                return content.reply(to: request)
            }
            return content.broken(after: 600, then: [.waitFor(written), .reset])
        }
        let target = elsewhere.at("/to")
        let server = try LoopbackServer { request in
            request.path == "/from" ? .redirect(307, to: "/same") : .redirect(307, to: target)
        }
        let journal = try fixture.journal { configuration in
            configuration.omittedHeaderFields.insert("X-Shop-Token")
            configuration.requestPreparation = { request, _ in
                var request = request
                request.setValue("prepared", forHTTPHeaderField: "X-Prepared")
                return request
            }
            configuration.willTakeStep = { step, _ in
                if step == .writeBytes { written.open() }
            }
        }
        var request = try server.request("/from", method: kind == .download ? "GET" : "PUT")
        request.setValue("s3cret", forHTTPHeaderField: "X-Shop-Token")
        request.setValue("plain", forHTTPHeaderField: "X-Plain")
        if kind == .download {
            try await journal.download(request, to: fixture.file("file"), id: "a")
        } else {
            let file = URL(fileURLWithPath: try fixture.files.write("sent", to: "source"))
            try await journal.upload(request, fromFile: file, id: "a")
        }
        let job = try await journal.outcome(of: "a")
        #expect(job.state == .finished, "\(job.failure?.message ?? "")")
        for sent in server.requests {
            #expect(sent.header("X-Shop-Token") == "s3cret")
            #expect(sent.header("X-Prepared") == "prepared")
        }
        #expect(server.requests.prefix(2).map(\.path) == ["/from", "/same"])
        for sent in elsewhere.requests {
            #expect(sent.header("X-Shop-Token") == nil)
            #expect(sent.header("X-Prepared") == nil)
            #expect(sent.header("X-Plain") == "plain")
        }
        // The range is also requested after redirects.
        let last = try #require(elsewhere.requests.last)
        if kind == .download {
            #expect(last.header("Range")?.hasPrefix("bytes=") == true)
            #expect(last.header("Accept-Encoding") == "identity")
            #expect(try fixture.files.read("file") == content.bytes)
        } else {
            #expect(last.bodyText == "sent")
        }
    }

    @Test("S-02: A request has the same properties after a restart")
    func requestHasSamePropertiesAfterRestart() async throws {
        let prepared = EventRecorder<URLRequest>()
        func journal() throws -> TransferJournal {
            try fixture.journal { configuration in
                configuration.requestPreparation = { request, _ in
                    prepared.record(request)
                    throw Refusal(status: 1)
                }
            }
        }
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1/")))
        request.mainDocumentURL = URL(string: "http://me:s3cret@h/main")
        request.cachePolicy = .returnCacheDataElseLoad
        request.networkServiceType = .background
        request.timeoutInterval = 7
        request.allowsCellularAccess = false
        request.allowsExpensiveNetworkAccess = false
        request.allowsConstrainedNetworkAccess = false
        request.assumesHTTP3Capable = true
        request.httpShouldHandleCookies = false
        request.httpShouldUsePipelining = false
        let file = URL(fileURLWithPath: try fixture.files.write("content", to: "source"))
        let first = try journal()
        try await first.upload(request, fromFile: file, id: "a")
        #expect(try await first.outcome(of: "a").state == .failed)
        await first.close()
        let second = try journal()
        try await second.resume("a")
        #expect(try await second.outcome(of: "a").state == .failed)
        request.mainDocumentURL = URL(string: "http://h/main")
        for found in prepared.events {
            #expect(found.mainDocumentURL == request.mainDocumentURL)
            #expect(found.cachePolicy == .returnCacheDataElseLoad)
            #expect(found.networkServiceType == .background)
            #expect(found.timeoutInterval == 7)
            #expect(!found.allowsCellularAccess && !found.allowsExpensiveNetworkAccess)
            #expect(!found.allowsConstrainedNetworkAccess && found.assumesHTTP3Capable)
            #expect(!found.httpShouldHandleCookies && !found.httpShouldUsePipelining)
        }
        #expect(prepared.events.count == 2)
    }

    @Test("S-02: Common secret headers aren't stored")
    func commonSecretHeadersAreNotStored() async throws {
        let server = try LoopbackServer { _ in .steps([.stall]) }
        let journal = try fixture.journal()
        var request = try server.request()
        let names = ["Authorization", "X-API-Key", "Api-Key", "X-Auth-Token", "X-Csrf-Token"]
        for name in names { request.setValue("s3cret", forHTTPHeaderField: name) }
        let job = try await journal.download(request, to: fixture.file("file"))
        #expect(job.httpHeaderFields.isEmpty)
        #expect(job.omittedHeaderFields.count == names.count)
        await journal.close()
    }
}
