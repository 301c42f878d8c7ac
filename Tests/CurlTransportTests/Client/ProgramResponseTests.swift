internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// Responses and bodies that a program makes behave as those of a transfer.
@Suite(.timeLimit(.minutes(10))) struct ProgramResponseTests {
    private func response(_ body: ResponseBody) throws -> HTTPClientResponse {
        HTTPClientResponse(
            head: ResponseHead(status: .ok),
            body: body,
            request: try HTTPRequest(url: "http://example.invalid/")
        )
    }

    @Test("Chunks arrive in order, and the end is known after the last one")
    func chunksArriveInOrder() async throws {
        let metrics = TransferMetrics(total: .seconds(1), bodyBytes: 3)
        let calls = EventRecorder<Int>()
        let response = try response(
            ResponseBody(chunks: ChunkList(chunks: [[1], [], [2, 3]])) {
                calls.record(0)
                return ResponseEnd(trailers: [.eTag: "x"], metrics: metrics)
            }
        )
        var chunks: [[UInt8]] = []
        #expect(response.metrics == nil)
        for try await chunk in response.body { chunks.append(chunk) }
        #expect(chunks == [[1], [2, 3]])
        #expect(response.trailers == [.eTag: "x"])
        #expect(response.metrics == metrics)
        #expect(try await response.body.collect(upTo: 9) == [])
        #expect(calls.events.count == 1)
    }

    @Test("A second iterator continues where the first one stopped")
    func secondIteratorContinues() async throws {
        let body = ResponseBody(chunks: ChunkList(chunks: [[1], [2], [3]]))
        var first = body.makeAsyncIterator()
        #expect(try await first.next() == [1])
        #expect(try await body.collect(upTo: 2) == [2, 3])
    }

    @Test("Bytes, and no content, are bodies")
    func bytesAreBodies() async throws {
        #expect(try await ResponseBody([7, 8]).collect(upTo: 2) == [7, 8])
        #expect(try await ResponseBody().collect(upTo: 0) == [])
        let trailers: HTTPFields = [.eTag: "y"]
        let response = try response(ResponseBody([7], end: ResponseEnd(trailers: trailers)))
        _ = try await response.body.collect(upTo: 1)
        #expect(response.trailers == trailers)
    }

    @Test("A body over the limit fails with responseTooLarge")
    func tooLargeBodyFails() async throws {
        let body = ResponseBody(chunks: ChunkList(chunks: [[1], [2, 3]]))
        let error = await #expect(throws: TransportError.self) { try await body.collect(upTo: 2) }
        #expect(error?.code == .responseTooLarge)
    }

    @Test("Errors of the sequence become transport errors")
    func errorsAreConverted() async throws {
        func failure(_ failure: any Error) async -> TransportError? {
            let body = ResponseBody(chunks: ChunkList(chunks: [[1]], failure: failure))
            return await #expect(throws: TransportError.self) { try await body.collect(upTo: 9) }
        }
        let other = await failure(ChunkList.Broken())
        #expect(other?.code == .unknown)
        #expect(other?.underlying is ChunkList.Broken)
        #expect(await failure(CancellationError())?.code == .cancelled)
        #expect(await failure(TransportError(.connectionLost))?.code == .connectionLost)
    }

    @Test("A cancelled reader gets the code cancelled")
    func cancelledReaderFails() async throws {
        let body = ResponseBody(chunks: ChunkList(chunks: [[1]]))
        let gate = Gate()
        let task = Task {
            try? await gate.wait()
            return try await body.collect(upTo: 9)
        }
        task.cancel()
        gate.open()
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test("A sequence is iterated with the reader's task-local values")
    func sequenceHasTheReadersValues() async throws {
        let body = ResponseBody(chunks: Naming())
        let bytes = try await Naming.$name.withValue("reader") { try await body.collect(upTo: 99) }
        #expect(bytes == Array("reader".utf8))
    }

    private struct Naming: AsyncSequence, AsyncIteratorProtocol, Sendable {
        @TaskLocal static var name = "none"
        var hasYielded = false

        mutating func next() async -> [UInt8]? {
            defer { hasYielded = true }
            return hasYielded ? nil : Array(Self.name.utf8)
        }

        func makeAsyncIterator() -> Naming { self }
    }

    // MARK: Heads

    @Test("A head has the status, the fields and the version that it was made from")
    func headHasItsParts() {
        let head = ResponseHead(
            status: .init(code: 299, reasonPhrase: "Grün"),
            headerFields: [.contentLength: "12", .setCookie: "a=b", .contentEncoding: "gzip"],
            httpVersion: "2"
        )
        #expect(head.statusCode == 299)
        #expect(head.status.reasonPhrase == "Grün")
        #expect(head.httpVersion == "2")
        #expect(head.contentLength == 12)
        #expect(head.setsCookies)
        #expect(head.isEncoded)
        #expect(head.headerFields[.setCookie] == "a=b")
        #expect(head.firstValue(of: .contentEncoding) == "gzip")
        #expect(
            String(decoding: ResponseHead(status: .ok, httpVersion: "x\r\n").bytes, as: UTF8.self)
                == "HTTP/1.1 200 OK\r\n\r\n"
        )
        #expect(ResponseHead(status: .init(code: 7)).statusCode == 100)
    }

    @Test("A head's fields are the ones that a parser reads from its bytes")
    func headCanBeParsed() throws {
        let head = ResponseHead(status: .ok, headerFields: [.contentLength: "3", .eTag: "\"a\""])
        var parser = ResponseHeadParser()
        var parsed: ResponseHead?
        for line in head.bytes.split(separator: 10) {
            let line = Array(line) + [10]
            if case .head(let complete) = try parser.receive(line.span) { parsed = complete }
        }
        #expect(parsed == head)
    }
}
