internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests uploads of asynchronous sequences.
@Suite(.timeLimit(.minutes(10))) struct SequenceUploadTests {
    private final class SourceFailure: Error {}

    private func echo() throws -> LoopbackServer {
        try LoopbackServer { .bytes($0.body) }
    }

    // MARK: Content

    @Test(
        "Chunks of a sequence arrive unchanged, with a length or in chunks",
        arguments: [nil, 600_000] as [Int64?]
    )
    func chunksArriveUnchanged(_ length: Int64?) async throws {
        let server = try echo()
        let body = SequenceUploads.bytes(600_000)
        // An empty chunk isn't the end.
        let chunks: [[UInt8]] = [
            [], Array(body[..<1]), [], Array(body[1..<400_000]), Array(body[400_000...]), [],
        ]
        let (data, _) = try await URLSession.test().upload(
            for: SequenceUploads.post(server.at("/")),
            from: SequenceUploads.sequence(chunks),
            length: length
        )
        #expect([UInt8](data) == body)
        let request = server.requests[0]
        #expect(request.header("Content-Length") == length.map { "\($0)" })
        #expect(request.header("Transfer-Encoding") == (length == nil ? "chunked" : nil))
        #expect(request.header("Content-Type") == nil)
        #expect(request.header("Upload-Complete") == nil)
    }

    @Test("Chunks of Data and single bytes arrive unchanged")
    func dataAndBytesArriveUnchanged() async throws {
        let server = try echo()
        let session = URLSession.test()
        let request = SequenceUploads.post(try server.at("/"))
        let pieces = SequenceUploads.sequence([Data("ab".utf8), Data("c".utf8)])
        let (first, _) = try await session.upload(for: request, from: pieces)
        #expect(first == Data("abc".utf8))
        let body = SequenceUploads.bytes(40_000)
        let bytes = SequenceUploads.sequence(body)
        let (second, _) = try await session.upload(for: request, from: bytes, length: 40_000)
        #expect([UInt8](second) == body)
        #expect(server.requests[1].header("Content-Length") == "40000")
    }

    @Test("The bytes of a response can be uploaded")
    func bytesOfAResponseAreUploaded() async throws {
        let body = SequenceUploads.bytes(300_000)
        let source = try LoopbackServer { _ in .bytes(body) }
        let server = try echo()
        let session = URLSession.test()
        let (bytes, _) = try await session.bytes(from: source.at("/"))
        let (data, _) = try await session.upload(
            for: SequenceUploads.post(server.at("/")),
            from: bytes
        )
        #expect([UInt8](data) == body)
    }

    @Test("An empty sequence is an empty body", arguments: [nil, 0] as [Int64?])
    func emptySequenceIsAnEmptyBody(_ length: Int64?) async throws {
        let server = try LoopbackServer { .text("\($0.bodyByteCount)") }
        let (data, _) = try await URLSession.test().upload(
            for: SequenceUploads.post(server.at("/")),
            from: SequenceUploads.sequence([[UInt8]]()),
            length: length
        )
        #expect(String(decoding: data, as: UTF8.self) == "0")
        #expect(server.requests[0].header("Content-Length") == length.map { "\($0)" })
    }

    @Test("The length of a sequence replaces the request's Content-Length")
    func statedLengthReplacesTheRequests() async throws {
        let server = try echo()
        let session = URLSession.test()
        for (field, length) in [("9", 3), ("3", nil)] as [(String, Int64?)] {
            var request = SequenceUploads.post(try server.at("/"))
            request.setValue(field, forHTTPHeaderField: "Content-Length")
            let (data, _) = try await session.upload(
                for: request,
                from: SequenceUploads.sequence([Data("abc".utf8)]),
                length: length
            )
            #expect(data == Data("abc".utf8))
        }
        #expect(server.requests.map { $0.headers("Content-Length") } == [["3"], ["3"]])
        #expect(server.requests.allSatisfy { $0.header("Transfer-Encoding") == nil })
    }

    @Test("A completion handler gets the response to a sequence")
    func completionHandlerGetsTheResponse() async throws {
        let server = try echo()
        let session = URLSession.test()
        let sequence = UploadSequence(SequenceUploads.sequence([Data("abc".utf8)]))
        let request = SequenceUploads.post(try server.at("/"))
        let data: Data? = await awaitHandler { done in
            session.uploadTask(with: request, from: sequence) { data, _, _ in done(data) }.resume()
        }
        #expect(data == Data("abc".utf8))
    }

    @Test("The preview of an upload of a sequence has a stream, and no form's Content-Type")
    func previewIsNoForm() throws {
        let session = URLSession.test()
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let sequence = UploadSequence(SequenceUploads.sequence([Data()]))
        let task = session.uploadTask(with: SequenceUploads.post(url), from: sequence)
        let preview = try #require(session.preview(of: task))
        #expect(!preview.fields.contains { $0.name == "Content-Type" })
        let isStream = if case .stream = preview.body { true } else { false }
        #expect(isStream)
        session.invalidateAndCancel()
    }

    // MARK: Progress

    @Test("Progress counts the bytes of a sequence", arguments: [nil, 300_000] as [Int64?])
    func progressCountsTheBytes(_ length: Int64?) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        let chunks = [[UInt8]](repeating: SequenceUploads.bytes(100_000), count: 3)
        let task = session.uploadTask(
            with: SequenceUploads.post(try server.at("/")),
            from: UploadSequence(SequenceUploads.sequence(chunks), length: length)
        )
        task.resume()
        try await delegate.completion()
        let expected = length ?? -1
        let sent = delegate.events.compactMap { event -> Int64? in
            guard case .sent(let total, of: let announced) = event, announced == expected else {
                return nil
            }
            return total
        }
        #expect(sent.last == 300_000)
        #expect(sent == sent.sorted())
        #expect(task.countOfBytesSent == 300_000)
        #expect(task.countOfBytesExpectedToSend == expected)
        #expect(!delegate.events.contains(.bodyStream))
        #expect(delegate.errors.isEmpty)
        session.invalidateAndCancel()
    }

    // MARK: Errors

    @Test(
        "An upload fails if its sequence has another length than stated",
        arguments: [2, 4] as [Int64]
    )
    func otherLengthFails(_ length: Int64) async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let request = SequenceUploads.post(try server.at("/"))
        let error = try await urlError {
            _ = try await URLSession.test().upload(
                for: request,
                from: SequenceUploads.sequence([[1, 2, 3]] as [[UInt8]]),
                length: length
            )
        }
        #expect(error.code == .requestBodyStreamExhausted)
        #expect(error.reason.contains("\(length) bytes announced"))
        // The server doesn't take the body for complete.
        #expect(server.requests.allSatisfy { !$0.isComplete })
    }

    @Test("An error that a sequence throws is the underlying error")
    func thrownErrorIsUnderlying() async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let request = SequenceUploads.post(try server.at("/"))
        let failure = SourceFailure()
        let chunks = AsyncThrowingStream<[UInt8], any Error> { continuation in
            continuation.yield([1, 2])
            continuation.finish(throwing: failure)
        }
        let error = try await urlError {
            _ = try await URLSession.test().upload(for: request, from: chunks)
        }
        #expect(error.code == .requestBodyStreamExhausted)
        #expect(error.userInfo[NSUnderlyingErrorKey] as? SourceFailure === failure)
    }

    // MARK: Flow

    /// A sequence of one chunk without an end, and a gate that opens when the iteration is
    /// cancelled.
    private func endless() -> (sequence: AsyncStream<[UInt8]>, stopped: Gate) {
        let (sequence, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let stopped = Gate()
        continuation.onTermination = { reason in
            if case .cancelled = reason { stopped.open() }
        }
        continuation.yield([1, 2, 3])
        return (sequence, stopped)
    }

    @Test("Cancelling an upload cancels the iteration of its sequence")
    func cancellingStopsTheIteration() async throws {
        let begun = Gate()
        let server = try LoopbackServer.scripted([
            .readHead, .readBodyBytes(3), .open(begun), .stall,
        ])
        let request = SequenceUploads.post(try server.at("/"))
        let (sequence, stopped) = endless()
        let upload = Task { try await URLSession.test().upload(for: request, from: sequence).0 }
        try await begun.wait()
        #expect(!stopped.isOpen)
        upload.cancel()
        let error = try await urlError { _ = try await upload.value }
        #expect(error.code == .cancelled)
        try await stopped.wait()
    }

    @Test("A response before the end of a sequence is delivered, and cancels the iteration")
    func earlyResponseStopsTheIteration() async throws {
        let server = try LoopbackServer.scripted([
            .readHead, .readBodyBytes(3),
            .send("HTTP/1.1 413 Large\r\nContent-Length: 2\r\n\r\nno"), .readUntilClosed,
        ])
        let (sequence, stopped) = endless()
        let (data, response) = try await URLSession.test().upload(
            for: SequenceUploads.post(server.at("/")),
            from: sequence
        )
        #expect((response as? HTTPURLResponse)?.statusCode == 413)
        #expect(data == Data("no".utf8))
        try await stopped.wait()
    }

    @Test("A sequence is iterated as fast as the server reads")
    func sequenceIsIteratedAtTheServersSpeed() async throws {
        var options = ServerOptions()
        options.receiveBufferBytes = 64 * 1024
        let gate = Gate()
        let server = try LoopbackServer.scripted(
            options: options,
            [.readHead, .waitFor(gate), .readBody, .send("HTTP/1.1 204 No\r\n\r\n"), .stall]
        )
        let taken = Watched(0)
        let chunk = SequenceUploads.bytes(64 * 1024)
        let chunks = AsyncStream<[UInt8]>(unfolding: {
            taken.update { count -> [UInt8]? in
                guard count < 512 else { return nil }
                count += 1
                return chunk
            }
        })
        let session = URLSession.test()
        let request = SequenceUploads.post(try server.at("/"))
        let upload = Task { try await session.upload(for: request, from: chunks).1 }
        try await taken.wait { $0 >= 10 ? () : nil }
        let other = try LoopbackServer { _ in .text("x") }
        for _ in 0..<50 { _ = try await session.data(from: other.at("/")) }
        // 32 MiB in all; the kernel buffers a few MiB.
        #expect(taken.read { $0 } < 300)
        gate.open()
        let response = try await upload.value
        #expect((response as? HTTPURLResponse)?.statusCode == 204)
        #expect(taken.read { $0 } == 512)
        #expect(server.requests[0].bodyByteCount == 512 * chunk.count)
    }
}
