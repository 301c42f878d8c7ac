internal import CurlURLSession
internal import Foundation
internal import Testing

@testable internal import CurlNetworking

/// The check of a download's response before its file is moved, and the response with its file.
@Suite struct DownloadRefusalTests {
    private struct Other: URLResponseSerialization {
        func responseObject(
            for response: URLResponse?,
            data: Data?,
            error: inout (any Error)?
        ) -> (any Sendable)? {
            Issue.record("is called for a download's head")
            return nil
        }
    }

    private func code(_ error: (any Error)?) -> Int? { (error as NSError?)?.code }

    @Test func onlyTheStatusRefusesADownload() throws {
        let serializer = JSONResponseSerializer()
        #expect(code(serializer.refusal(of: try Responses.http(404))) == -1011)
        // The media type of a file isn't checked.
        #expect(serializer.refusal(of: try Responses.http(200, type: "text/html")) == nil)
        serializer.acceptableStatusCodes = nil
        #expect(serializer.refusal(of: try Responses.http(404)) == nil)
    }

    @Test func otherSerializersAndOtherResponsesAreNotRefused() throws {
        #expect(Other().refusal(of: try Responses.http(404)) == nil)
        let url = try #require(URL(string: "data:,x"))
        let plain = URLResponse(
            url: url,
            mimeType: nil,
            expectedContentLength: 1,
            textEncodingName: nil
        )
        #expect(HTTPResponseSerializer().refusal(of: plain) == nil)
        #expect(HTTPResponseSerializer().refusal(of: nil) == nil)
    }

    @Test func oneSerializerOfACompoundMayAcceptTheStatus() throws {
        let missing = HTTPResponseSerializer()
        missing.acceptableStatusCodes = [404]
        let compound = CompoundResponseSerializer(responseSerializers: [
            Other(), JSONResponseSerializer(), missing,
        ])
        #expect(compound.refusal(of: try Responses.http(404)) == nil)
        #expect(code(compound.refusal(of: try Responses.http(500))) == -1011)
        let nested = CompoundResponseSerializer(responseSerializers: [compound])
        #expect(nested.refusal(of: try Responses.http(404)) == nil)
        let empty = CompoundResponseSerializer(responseSerializers: [])
        #expect(code(empty.refusal(of: try Responses.http(404))) == -1011)
    }

    @Test func headSerializerReturnsTheRefusalAlone() throws {
        let head = ResponseHeadSerializer(other: JSONResponseSerializer())
        let refused = Serialized(head, try Responses.http(500), "[1]")
        #expect(refused.object == nil && code(refused.error) == -1011)
        let accepted = Serialized(head, try Responses.http(200), "[1]")
        #expect(accepted.object == nil && accepted.error == nil)
        let nested = ResponseHeadSerializer(other: head)
        #expect(code(nested.refusal(of: try Responses.http(500))) == -1011)
        #expect(Serialized(ResponseHeadSerializer(other: Other()), nil, "").error == nil)
    }

    private struct First: Error {}
    private struct Second: Error {}

    private func download<Success: Sendable>(
        _ result: Result<Success, First>
    ) throws -> DownloadResponse<Success, First> {
        DownloadResponse(
            request: URLRequest(url: try #require(URL(string: Responses.url))),
            response: try Responses.http(206),
            fileURL: URL(fileURLWithPath: "/tmp/file"),
            resumeData: Data("resume".utf8),
            metrics: nil,
            serializationDuration: .seconds(3),
            result: result
        )
    }

    private func expectDetails<Success: Sendable, Failure: Error>(
        _ response: DownloadResponse<Success, Failure>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let isComplete =
            response.request?.url?.absoluteString == Responses.url
            && response.response?.statusCode == 206 && response.fileURL?.path == "/tmp/file"
            && response.resumeData == Data("resume".utf8)
            && response.serializationDuration == .seconds(3)
        #expect(isComplete, sourceLocation: sourceLocation)
    }

    @Test func transformedDownloadKeepsItsFileAndResumeData() throws {
        let loaded = try download(.success(2))
        #expect(loaded.value == 2 && loaded.error == nil)
        #expect(loaded.map { $0 * 2 }.value == 4)
        expectDetails(loaded.map { $0 * 2 })
        #expect(loaded.tryMap { "\($0)" }.value == "2")
        let thrown = loaded.tryMap { _ -> Int in throw Second() }
        #expect(thrown.error is Second && thrown.value == nil)
        expectDetails(thrown)
        #expect(loaded.mapError { _ in Second() }.value == 2)
    }

    @Test func failedDownloadIsNotTransformed() throws {
        let failed = try download(Result<Int, First>.failure(First()))
        #expect(failed.value == nil && failed.error != nil)
        let mapped = failed.tryMap { value -> Int in
            Issue.record("is called without a value")
            return value
        }
        #expect(mapped.error is First)
        let changed = failed.mapError { _ in Second() }
        #expect(changed.error != nil)
        expectDetails(changed)
    }
}
