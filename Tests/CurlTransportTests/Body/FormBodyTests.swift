import HTTPTypes
import TestSupport
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.minutes(10))) struct FormBodyTests {
    /// Sends a body to a server, and returns the request that arrives.
    private static func sent(
        _ body: RequestBody,
        configure: (inout HTTPRequest) -> Void = { _ in }
    ) async throws -> RecordedRequest {
        let server = try LoopbackServer { _ in .text("ok") }
        let client = try HTTPClient()
        var request = try HTTPRequest(method: .post, url: server.url)
        configure(&request)
        let response = try await client.send(request, body: body)
        _ = try await response.body.collect(upTo: 100)
        await client.shutdown()
        return try #require(server.requests.first)
    }

    @Test("A form is urlencoded and has its media type")
    func formIsEncoded() async throws {
        let request = try await Self.sent(.form(["name": "Grace Hopper", "q": "a&b", "q": "ü"]))
        #expect(request.bodyText == "name=Grace+Hopper&q=a%26b&q=%C3%BC")
        #expect(request.headers("Content-Type") == ["application/x-www-form-urlencoded"])
        #expect(request.header("Content-Length") == "34")
    }

    @Test("A Content-Type of the request is kept, and a body without a type adds none")
    func ownContentTypeIsKept() async throws {
        let form = try await Self.sent(.form([("a", "1")])) {
            $0.headerFields[.contentType] = "application/x-own"
        }
        #expect(form.headers("Content-Type") == ["application/x-own"])
        #expect(try await Self.sent(.text("x")).headers("Content-Type").isEmpty)
        var typed = RequestBody.text("<a/>")
        typed.contentType = "application/xml"
        #expect(try await Self.sent(typed).headers("Content-Type") == ["application/xml"])
    }

    @Test("Middleware and the response's request have the Content-Type")
    func middlewareSeesContentType() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let seen = EventRecorder<String?>()
        let client = try HTTPClient(middleware: [FieldRecorder(seen: seen)])
        let response = try await client.send(
            HTTPRequest(method: .post, url: server.url),
            body: .form([("a", "1")])
        )
        #expect(seen.events == ["application/x-www-form-urlencoded"])
        let type = response.request.headerFields[.contentType]
        #expect(type == "application/x-www-form-urlencoded")
        await client.shutdown()
    }

    @Test("A redirect that drops the body drops its Content-Type")
    func redirectDropsContentType() async throws {
        let server = try LoopbackServer { request in
            request.path == "/" ? .redirect(303, to: "/next") : .text("ok")
        }
        let client = try HTTPClient()
        _ = try await client.send(
            HTTPRequest(method: .post, url: server.url + "/"),
            body: .form([("a", "1")])
        )
        let requests = server.requests
        #expect(requests.map(\.method) == ["POST", "GET"])
        #expect(requests.map { $0.header("Content-Type") == nil } == [false, true])
        await client.shutdown()
    }

    // MARK: Multipart

    @Test("Parts of all kinds are sent in order, with the length if it is known")
    func partsAreSent() async throws {
        let directory = try TemporaryDirectory()
        let long = RequestBodyTests.bytes(600_000)
        let path = try directory.write(long, to: "picture.bin")
        var described = MultipartPart("raw", body: .bytes([1, 2]))
        described.headerFields[.contentLanguage] = "en"
        let parts: [MultipartPart] = [
            .field("title", "größer"), .file("picture", path: path, contentType: "image/x-raw"),
            .file("a\"b", bytes: [65, 66], fileName: "c\nd"), described,
            MultipartPart("stream", body: .stream(length: 4, Pieces([[67, 68], [], [69, 70]]))),
        ]
        let body = RequestBody.multipart(parts)
        #expect(!body.isReplayable && body.length == nil)
        let request = try await Self.sent(body)
        let type = try #require(request.header("Content-Type"))
        let boundary = String(type.dropFirst("multipart/form-data; boundary=".count))
        #expect(boundary.hasPrefix("Boundary+") && boundary.utf8.count == 25)
        let expected: [[UInt8]] = [
            Array(
                """
                --\(boundary)\r
                Content-Disposition: form-data; name="title"\r
                \r
                größer\r
                --\(boundary)\r
                Content-Disposition: form-data; name="picture"; filename="picture.bin"\r
                Content-Type: image/x-raw\r
                \r

                """.utf8
            ),
            long,
            Array(
                """
                \r
                --\(boundary)\r
                Content-Disposition: form-data; name="a%22b"; filename="c%0Ad"\r
                Content-Type: application/octet-stream\r
                \r
                AB\r
                --\(boundary)\r
                Content-Disposition: form-data; name="raw"\r
                Content-Language: en\r
                \r
                \u{1}\u{2}\r
                --\(boundary)\r
                Content-Disposition: form-data; name="stream"\r
                \r
                CDEF\r
                --\(boundary)--\r

                """.utf8
            ),
        ]
        let isExpected = request.body == expected.flatMap { $0 }
        #expect(isExpected)
        #expect(request.header("Content-Length") == "\(expected.map(\.count).reduce(0, +))")
        #expect(request.header("Transfer-Encoding") == nil)
    }

    @Test("A form with a stream of unknown length is sent in chunks")
    func unknownLengthIsChunked() async throws {
        let body = RequestBody.multipart([
            MultipartPart("log", body: .stream(restartable: { Pieces([[65], [66]]) }))
        ])
        #expect(body.isReplayable && body.length == nil)
        let request = try await Self.sent(body)
        #expect(request.header("Transfer-Encoding") == "chunked")
        #expect(request.bodyText.contains("\r\n\r\nAB\r\n--"))
        // Stubs read the same bytes.
        #expect(try await body.collect(upTo: 1000) == request.body)
    }

    @Test("A form's length is unknown if it exceeds the largest number")
    func immenseLengthIsUnknown() {
        func length(ofPart length: Int64) -> Int64? {
            let part = MultipartPart("s", body: .stream(length: length, Pieces([])))
            return RequestBody.multipart([part]).length
        }
        let rest = length(ofPart: 0) ?? 0
        #expect(rest > 0)
        #expect(length(ofPart: .max - rest) == .max)
        #expect(length(ofPart: .max - rest + 1) == nil)
        #expect(length(ofPart: .max) == nil)
    }

    @Test("A form is sent again after a redirect if its parts can be")
    func formIsSentAgain() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("text", to: "file")
        let server = try LoopbackServer { request in
            request.path == "/" ? .redirect(307, to: "/next") : .text("ok")
        }
        let client = try HTTPClient()
        let response = try await client.send(
            HTTPRequest(method: .post, url: server.url + "/"),
            body: .multipart([.field("a", "1"), .file("f", path: path)])
        )
        #expect(response.statusCode == 200)
        let requests = server.requests
        #expect(requests.count == 2 && requests[0].body == requests[1].body)
        #expect(requests[1].bodyText.contains("\r\n\r\ntext\r\n"))
        await client.shutdown()
    }

    @Test("A part that can't be read, or has another length, fails the transfer")
    func badPartsFail() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let client = try HTTPClient()
        let request = try HTTPRequest(method: .post, url: server.url)
        let pieces = Pieces([[65, 66, 67]])
        for (part, text) in [
            (MultipartPart.file("f", path: "/nowhere/file"), "/nowhere/file"),
            (MultipartPart("s", body: .stream(length: 2, pieces)), "longer than the 2 bytes"),
            (MultipartPart("s", body: .stream(length: 4, pieces)), "after 3 of the 4 bytes"),
        ] {
            // The lengths of both parts together are right.
            let other = MultipartPart("t", body: .stream(length: 3, pieces))
            let error = await #expect(throws: TransportError.self) {
                try await client.send(request, body: .multipart([part, other]))
            }
            #expect(error?.code == .requestBodyFailed)
            #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
        }
        let thrown = await #expect(throws: TransportError.self) {
            let part = MultipartPart("s", body: .stream(FailingPieces()))
            _ = try await client.send(request, body: .multipart([part]))
        }
        #expect(thrown?.underlying is FailingPieces.Failed)
        await client.shutdown()
    }

    @Test("A form without parts has only its end")
    func emptyFormIsSent() async throws {
        let request = try await Self.sent(.multipart([]))
        #expect(request.bodyText.hasPrefix("--Boundary+") && request.bodyText.hasSuffix("--\r\n"))
        #expect(request.header("Content-Length") == "\(request.body.count)")
    }
}

/// Records the Content-Type of requests.
private struct FieldRecorder: HTTPMiddleware {
    let seen: EventRecorder<String?>

    func intercept(
        _ request: HTTPRequest,
        body: RequestBody,
        context: RequestContext,
        next: any HTTPExchanging
    ) async throws(TransportError) -> HTTPClientResponse {
        seen.record(request.headerFields[.contentType])
        return try await next.send(request, body: body, context: context)
    }
}

/// A sequence that throws after one chunk.
private struct FailingPieces: AsyncSequence, Sendable {
    struct Failed: Error {}

    struct AsyncIterator: AsyncIteratorProtocol {
        var hasBegun = false

        mutating func next() async throws -> [UInt8]? {
            guard !hasBegun else { throw Failed() }
            hasBegun = true
            return [65]
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}
