internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests uploads that end early, and uploads that resume them.
@Suite(.timeLimit(.minutes(10))) struct UploadResumeTests {
    private static func rest(from offset: Int64 = UploadServer.half) -> [UInt8] {
        [UInt8](UploadServer.content[Int(offset)...])
    }

    // MARK: Resume data

    @Test("E3: An upload resumes where it was interrupted", arguments: [true, false])
    func interruptedUploadResumes(_ isFile: Bool) async throws {
        let gate = Gate()
        let server = try UploadServer.start(gate)
        let folder = try TemporaryDirectory()
        let path = try folder.write([UInt8](UploadServer.content), to: "body")
        let request = UploadServer.post(
            try server.at("/files?x=1"),
            ["Content-Type": "text/plain", "Authorization": "Bearer abc", "X-Own": "1"]
        )
        let session = URLSession.test()
        let delegate = UploadServer.delegate(opening: gate)
        let error = try await urlError {
            if isFile {
                let file = URL(fileURLWithPath: path)
                _ = try await session.upload(for: request, fromFile: file, delegate: delegate)
            } else {
                let body = UploadServer.content
                _ = try await session.upload(for: request, from: body, delegate: delegate)
            }
        }
        #expect(error.code == .networkConnectionLost)
        let data = try #require(error.uploadTaskResumeData)
        #expect(error.userInfo[NSURLSessionUploadTaskResumeData] as? Data == data)
        #expect(error.downloadTaskResumeData == nil)
        // The resume data has the bytes of a body in memory, but not those of a file.
        #expect((data.count > UploadServer.content.count) == !isFile)

        let (answer, response) = try await session.upload(resumeFrom: data)
        #expect(answer == Data("done".utf8))
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(response.url?.path == "/uploads/1")
        let requests = server.requests
        try #require(requests.map(\.method) == ["POST", "HEAD", "PATCH"])
        #expect(requests[0].header("Upload-Complete") == "?1")
        #expect(requests[0].header("Upload-Draft-Interop-Version") == "6")
        #expect(requests[0].header("Upload-Offset") == nil)
        for request in requests[1...] {
            #expect(request.target == "/uploads/1")
            #expect(request.header("Upload-Draft-Interop-Version") == "6")
            #expect(request.header("Authorization") == "Bearer abc")
            #expect(request.header("X-Own") == "1")
        }
        #expect(requests[1].header("Upload-Complete") == nil)
        #expect(requests[1].header("Upload-Offset") == nil)
        #expect(requests[1].header("Content-Type") == nil)
        #expect(requests[2].headers("Content-Type") == ["application/partial-upload"])
        #expect(requests[2].headers("Upload-Offset") == ["\(UploadServer.half)"])
        #expect(requests[2].headers("Upload-Complete") == ["?1"])
        let isRest = requests[2].body == Self.rest()
        #expect(isRest)
    }

    @Test func progressCountsTheWholeUpload() async throws {
        let gate = Gate()
        let server = try UploadServer.start(gate)
        let data = try await UploadServer.resumeData(server, .test(), opening: gate)
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.uploadTask(withResumeData: data)
        #expect(task.originalRequest?.url?.path == "/files")
        #expect(task.originalRequest?.httpMethod == "POST")
        task.resume()
        try await delegate.completion()
        #expect(delegate.errors.isEmpty)
        #expect(
            delegate.milestones == [.response(200), .metrics(transactions: 2), .completed(nil)]
        )
        let size = UploadServer.size
        let sent = delegate.events.compactMap { event -> Int64? in
            guard case .sent(let total, of: size) = event else { return nil }
            return total
        }
        #expect(sent == sent.sorted() && sent.last == size)
        #expect(sent.allSatisfy { $0 > UploadServer.half })
        #expect(task.countOfBytesSent == size && task.countOfBytesExpectedToSend == size)
        let transactions = try #require(delegate.metrics.first).transactionMetrics
        #expect(transactions.map(\.request.httpMethod) == ["HEAD", "PATCH"])
        #expect(
            transactions.map(\.countOfRequestBodyBytesSent) == [0, size - UploadServer.half]
        )
        session.invalidateAndCancel()
    }

    @Test("E3: A cancelled upload's error has the handler's resume data", arguments: [true, false])
    func cancelledUploadsErrorHasHandlersResumeData(_ isForGood: Bool) async throws {
        let gate = Gate()
        let server = try UploadServer.start(gate)
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        let request = UploadServer.post(try server.at("/files"))
        let task = session.uploadTask(with: request, from: UploadServer.content)
        task.resume()
        try await delegate.event(.informational(104))
        let handlerResult = Watched<(data: Data?, completions: Int)?>(nil)
        if isForGood {
            task.cancel()
            #expect(try await delegate.failure().uploadTaskResumeData == nil)
            #expect(await task.cancelByProducingResumeData() == nil)
        } else {
            task.cancel { data in
                let count = delegate.errors.count
                handlerResult.update { $0 = (data, count) }
            }
            let error = try await delegate.failure()
            #expect(error.code == .cancelled)
            let (data, completions) = try await handlerResult.wait { $0 }
            #expect(completions == 0, "the handler comes before the completion")
            #expect(error.uploadTaskResumeData == data)
            let (answer, _) = try await session.upload(resumeFrom: try #require(data))
            #expect(answer == Data("done".utf8))
        }
        gate.open()
        session.invalidateAndCancel()
    }

    @Test func handlersGetUploadResumeDataAndResult() async throws {
        let gate = Gate()
        let server = try UploadServer.start(gate)
        let delegate = UploadServer.delegate(opening: gate)
        let session = URLSession.test(delegate: delegate)
        let request = UploadServer.post(try server.at("/files"))
        let failed: Data? = await awaitHandler { done in
            session.uploadTask(with: request, from: UploadServer.content) { _, _, error in
                done((error as? URLError)?.uploadTaskResumeData)
            }.resume()
        }
        let data = try #require(failed)
        let answer: Data? = await awaitHandler { done in
            session.uploadTask(withResumeData: data) { data, _, _ in done(data) }.resume()
        }
        #expect(answer == Data("done".utf8))
        session.invalidateAndCancel()
    }

    /// Offers without a version, of another version, without a location, and with invalid ones.
    @Test(
        arguments: [
            [("Location", "/uploads/1")],
            [("Location", "/uploads/1"), ("Upload-Draft-Interop-Version", "3")],
            [("Upload-Draft-Interop-Version", "6")],
            [("Upload-Draft-Interop-Version", "6"), ("Location", "http://127.0.0.2:1/uploads")],
            [("Upload-Draft-Interop-Version", "6"), ("Location", "https://127.0.0.1/uploads")],
            [("Upload-Draft-Interop-Version", "6"), ("Location", "file:///etc/passwd")],
            [("Upload-Draft-Interop-Version", "6"), ("Location", "//me@127.0.0.1/uploads")],
            [("Upload-Draft-Interop-Version", "6"), ("Location", "http://[::1")],
        ]
    )
    func uploadWithoutAValidOfferHasNoResumeData(_ fields: [(String, String)]) async throws {
        let gate = Gate()
        let server = try UploadServer.start(offering: fields, gate)
        let error = try await UploadServer.failure(of: server, .test(), opening: gate)
        #expect(error.code == .networkConnectionLost)
        #expect(error.uploadTaskResumeData == nil)
    }

    @Test func streamedUploadHasNoResumeData() async throws {
        let gate = Gate()
        let server = try UploadServer.start(gate)
        let delegate = UploadServer.delegate(opening: gate) {
            $0.bodyStream = { InputStream(data: UploadServer.content) }
        }
        let session = URLSession.test(delegate: delegate)
        let request = UploadServer.post(try server.at("/files"))
        session.uploadTask(withStreamedRequest: request).resume()
        #expect(try await delegate.failure().uploadTaskResumeData == nil)
        #expect(server.requests[0].header("Upload-Complete") == nil)
        session.invalidateAndCancel()
    }

    @Test func uploadWithAResponseHasNoResumeData() async throws {
        let gate = Gate()
        let server = try LoopbackServer.scripted([
            .readHead, UploadServer.offer(), .readBody,
            .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf "), .waitFor(gate), .close,
        ])
        let error = try await UploadServer.failure(of: server, .test(), opening: gate)
        #expect(error.code == .networkConnectionLost)
        #expect(error.uploadTaskResumeData == nil)
    }

    // MARK: Offers of the client

    @Test func sessionCanOmitTheResumptionOffer() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let session = URLSession.test { $0.allowsResumableUploads = false }
        let request = UploadServer.post(try server.at("/"))
        _ = try await session.upload(for: request, from: Data([1]))
        #expect(server.requests[0].header("Upload-Complete") == nil)
        #expect(server.requests[0].header("Upload-Draft-Interop-Version") == nil)
    }

    @Test func programsOwnUploadFieldsAreKept() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let request = UploadServer.post(try server.at("/"), ["Upload-Complete": "?0"])
        _ = try await URLSession.test().upload(for: request, from: Data([1]))
        #expect(server.requests[0].headers("Upload-Complete") == ["?0"])
        #expect(server.requests[0].header("Upload-Draft-Interop-Version") == nil)
        _ = try await URLSession.test().data(for: UploadServer.post(server.at("/")))
        #expect(server.requests[1].header("Upload-Complete") == nil, "no upload task")
    }

    @Test func redirectThatKeepsTheBodyRepeatsTheOffer() async throws {
        let gate = Gate()
        let server = try LoopbackServer.scripted { connection in
            let redirect =
                "HTTP/1.1 307 There\r\nLocation: /there\r\nContent-Length: 0\r\n"
                + "Connection: close\r\n\r\n"
            switch connection {
            case 0: return [.readHead, .readBody, .send(redirect), .close]
            case 1: return UploadServer.interruption(gate)
            default: return [.readHead, .send("HTTP/1.1 404 Gone\r\nContent-Length: 0\r\n\r\n")]
            }
        }
        let error = try await UploadServer.failure(of: server, .test(), opening: gate)
        #expect(error.uploadTaskResumeData != nil)
        #expect(server.requests.map(\.target) == ["/files", "/there"])
        #expect(server.requests.map { $0.header("Upload-Complete") } == ["?1", "?1"])
    }
}
