internal import CurlNetworking
internal import Foundation
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct MultipartFileTests {
    private let serializer = HTTPRequestSerializer()
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test(
        "M-19, Q-15: A form is written into a file; the completion handler runs on the main queue"
    )
    func aFormIsWrittenIntoAFile() async throws {
        let url = URL(fileURLWithPath: try folder.write("old, and longer", to: "form"))
        let request = try Forms.request { form in
            form.appendPart(withForm: Data(repeating: 7, count: 300_000), name: "big")
        }
        let (made, error, isMain) = await withCheckedContinuation { continuation in
            let made = Gate()
            let result = EventRecorder<URLRequest>()
            let request = serializer.request(
                withMultipartFormRequest: request,
                writingStreamContentsToFile: url
            ) { error in
                let isMain = OperationQueue.current === OperationQueue.main
                made.onOpen {
                    continuation.resume(returning: (result.events.first, error, isMain))
                }
            }
            result.record(request)
            made.open()
        }
        #expect(error == nil && isMain)
        let upload = try #require(made)
        #expect(upload.httpBodyStream == nil && upload.httpBody == nil)
        let length = upload.value(forHTTPHeaderField: "Content-Length")
        let content = try folder.read("form")
        #expect(length == "\(content.count)" && content.count > 300_000)
        #expect(content.starts(with: Array("--\(Forms.boundary(upload))\r\n".utf8)))
        #expect(upload.headers == request.headers)
    }

    @Test("M-19: A file that can't be written, and a request without a stream, are errors")
    func aFileThatCannotBeWrittenIsAnError() async throws {
        let form = try Forms.request(["a": 1])
        let missing = URL(fileURLWithPath: folder.path("none/form"))
        await #expect(throws: (any Error).self) {
            try await serializer.request(
                withMultipartFormRequest: form,
                writingStreamContentsToFile: missing
            )
        }
        let remote = try #require(URL(string: "http://h/"))
        let error = await #expect(throws: NSError.self) {
            try await serializer.request(
                withMultipartFormRequest: form,
                writingStreamContentsToFile: remote
            )
        }
        #expect(error?.domain == URLRequestSerializationErrorDomain && error?.code == -1000)
        await #expect(throws: NSError.self) {
            try await serializer.request(
                withMultipartFormRequest: URLRequest(url: remote),
                writingStreamContentsToFile: URL(fileURLWithPath: folder.path("x"))
            )
        }
    }

    @Test("M-19, M-18: A form that can't be read leaves no file")
    func aFormThatCannotBeReadLeavesNoFile() async throws {
        let request = try Forms.request { form in
            form.appendPart(
                with: FailingStream(after: 3),
                name: "s",
                fileName: "s",
                length: 9,
                mimeType: "text/plain"
            )
        }
        await #expect(throws: FailingStream.Failure.self) {
            try await serializer.request(
                withMultipartFormRequest: request,
                writingStreamContentsToFile: URL(fileURLWithPath: folder.path("form"))
            )
        }
        #expect(try folder.contents() == [])
    }

    @Test("M-19: The file is uploaded instead of the form")
    func theFileIsUploadedInThePlaceOfTheForm() async throws {
        let server = try LoopbackServer { .bytes($0.body) }
        let url = URL(fileURLWithPath: folder.path("form"))
        let form = try Forms.request(["name": "value"], to: server.at("/"))
        let request = try await serializer.request(
            withMultipartFormRequest: form,
            writingStreamContentsToFile: url
        )
        let (data, _) = try await URLSession.patient().upload(for: request, fromFile: url)
        #expect([UInt8](data) == (try folder.read("form")))
        let recorded = try #require(server.requests.first)
        #expect(recorded.header("Content-Length") == "\(data.count)")
        #expect(recorded.header("Content-Type")?.hasSuffix(Forms.boundary(form)) ?? false)
    }
}
