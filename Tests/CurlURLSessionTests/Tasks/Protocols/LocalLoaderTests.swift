import Foundation
import TestSupport
import Testing

@testable import CurlURLSession

@Suite(.timeLimit(.minutes(10)))
struct LocalLoaderTests {
    private let folder: TemporaryDirectory
    private let mocks = MockSession([])

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func file(_ bytes: [UInt8], _ name: String) throws -> URL {
        URL(filePath: try folder.write(bytes, to: name))
    }

    private func error(_ url: URL) async -> URLError? {
        await #expect(throws: URLError.self) { try await mocks.text(url) }
    }

    // MARK: data:

    @Test func dataURLIsLoaded() async throws {
        let url = try #require(URL(string: "data:text/html;charset=utf-8,%3Cp%3Ehi"))
        let (text, response) = try await mocks.text(url)
        #expect(text == "<p>hi")
        #expect(response.url == url)
        #expect(response.mimeType == "text/html")
        #expect(response.textEncodingName == "utf-8")
        #expect(response.expectedContentLength == 5)
        #expect(response.suggestedFilename == "html;charset=utf-8,<p>hi.html")
    }

    @Test func dataURLEventsAreDeliveredInOrder() async throws {
        let journal = TaskJournal()
        let mocks = MockSession([], delegate: journal)
        let url = try #require(URL(string: "data:;base64,aGVsbG8="))
        mocks.session.dataTask(with: url).resume()
        let expected = ["response 0", "data hello", "metrics", "completed"]
        #expect(try await journal.entriesToEnd() == expected)
    }

    @Test func emptyDataURLHasAResponseAndNoData() async throws {
        let url = try #require(URL(string: "data:,"))
        let completion = await mocks.complete(URLRequest(url: url))
        #expect(completion.data == Data())
        #expect(completion.response?.mimeType == "text/plain")
        #expect(completion.error == nil)
    }

    @Test func largeDataURLIsComplete() async throws {
        let bytes = Data([UInt8](count: 300_000) { UInt8(truncatingIfNeeded: $0) })
        let text = "data:a/b;base64," + bytes.base64EncodedString()
        let url = try #require(URL(string: text))
        #expect(try await mocks.session.data(from: url).0 == bytes)
    }

    @Test(
        "A data URL without a comma, or with a percent escape before it, is a bad URL",
        arguments: ["data:no-comma", "data:%2c123", "data:a/b;charset=iso-8859-%31,123"]
    )
    func invalidDataURLIsABadURL(_ text: String) async throws {
        let url = try #require(URL(string: text))
        let error = await error(url)
        #expect(error?.code == .badURL)
        #expect(error?.failingURL == url)
    }

    // MARK: file:

    @Test func fileIsLoadedWithTypeAndLength() async throws {
        let url = try file(Array("{}".utf8), "a.json")
        let (text, response) = try await mocks.text(url)
        #expect(text == "{}")
        #expect(response.url == url)
        #expect(response.mimeType == "application/json")
        #expect(response.expectedContentLength == 2)
        #expect(response.suggestedFilename == "a.json")
        #expect(!(response is HTTPURLResponse))
    }

    @Test func emptyFileHasAResponseAndNoData() async throws {
        let (data, response) = try await mocks.session.data(from: try file([], "empty"))
        #expect(data.isEmpty)
        #expect(response.expectedContentLength == 0)
        #expect(response.mimeType == "application/octet-stream")
    }

    @Test func fileWithSpecialCharactersIsFound() async throws {
        let url = try file(Array("x".utf8), "a b%20?#ü.txt")
        #expect(try await mocks.text(url).0 == "x")
        let linked = folder.path("link")
        try FileManager.default.createSymbolicLink(
            atPath: linked,
            withDestinationPath: url.path(percentEncoded: false)
        )
        #expect(try await mocks.text(URL(filePath: linked)).0 == "x")
    }

    @Test func largeFileIsCompleteAndDownloadable() async throws {
        let bytes = [UInt8](count: 1_000_000) { UInt8(truncatingIfNeeded: $0 &* 7) }
        let url = try file(bytes, "large.bin")
        #expect(try await mocks.session.data(from: url).0 == Data(bytes))
        let (copy, _) = try await mocks.session.download(from: url)
        defer { try? FileManager.default.removeItem(at: copy) }
        #expect(try Data(contentsOf: copy) == Data(bytes))
    }

    @Test func pathWithoutAFileIsAnError() async throws {
        #expect(await error(URL(filePath: folder.path("missing")))?.code == .fileDoesNotExist)
        #expect(await error(URL(filePath: folder.path))?.code == .fileIsDirectory)
        #expect(await error(URL(filePath: "/dev/zero"))?.code == .resourceUnavailable)
        let elsewhere = try #require(URL(string: "file://elsewhere.invalid/etc/hostname"))
        #expect(await error(elsewhere)?.code == .fileDoesNotExist)
        let dangling = folder.path("dangling")
        try FileManager.default.createSymbolicLink(
            atPath: dangling,
            withDestinationPath: folder.path("missing")
        )
        #expect(await error(URL(filePath: dangling))?.code == .fileDoesNotExist)
        let nul = try #require(URL(string: "file:///etc/host%00name"))
        #expect(await error(nul)?.code == .fileDoesNotExist)
    }

    @Test(arguments: [
        (CocoaError.Code.fileReadNoSuchFile, URLError.Code.fileDoesNotExist),
        (.fileNoSuchFile, .fileDoesNotExist),
        (.fileReadNoPermission, .noPermissionsToReadFile),
        (.fileReadUnknown, .resourceUnavailable),
    ])
    func fileErrorsHaveApplesCodes(cocoa: CocoaError.Code, code: URLError.Code) {
        let url = URL(filePath: "/a")
        let error = LocalFile.failure(CocoaError(cocoa), url)
        #expect(error.code == code)
        #expect(error.failingURL == url)
        #expect(error.userInfo[NSUnderlyingErrorKey] is CocoaError)
    }

    @Test func readingWaitsForAPausedReader() async throws {
        let bytes = [UInt8](repeating: 7, count: 600_000)
        let (stream, _) = try await mocks.session.bytes(from: try file(bytes, "slow.bin"))
        var count = 0
        for try await byte in stream {
            count += Int(byte) / 7
            if count.isMultiple(of: 100_000) { await Task.yield() }
        }
        #expect(count == bytes.count)
    }

    @Test func cancelledFileReadEnds() async throws {
        let url = try file([UInt8](repeating: 7, count: 2_000_000), "slow.bin")
        let (stream, _) = try await mocks.session.bytes(from: url)
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next() == 7)
        mocks.session.invalidateAndCancel()
        let error = await #expect(throws: URLError.self) {
            while try await iterator.next() != nil {}
        }
        #expect(error?.code == .cancelled)
    }

    // MARK: Other schemes

    @Test(arguments: ["ftp://127.0.0.1/a", "gopher://127.0.0.1/", "unheard:of", "about:blank"])
    func otherSchemesAreUnsupported(text: String) async throws {
        #expect(await error(try #require(URL(string: text)))?.code == .unsupportedURL)
    }

    @Test func redirectToAFileIsNotFollowed() async throws {
        let url = try file(Array("secret".utf8), "secret")
        let server = try LoopbackServer { _ in .redirect(to: url.absoluteString) }
        let (text, response) = try await mocks.text(try #require(URL(string: server.url)))
        #expect(text.isEmpty)
        #expect((response as? HTTPURLResponse)?.statusCode == 302)
    }

    @Test func mockOverridesDataURLs() async throws {
        let url = try #require(URL(string: "data:,plain"))
        #expect(try await MockSession([EveryMock.self]).text(url).0 == "every")
    }
}

private final class EveryMock: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        client?.urlProtocol(self, didLoad: Data("every".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}
