internal import Foundation
internal import Testing

@testable internal import CurlURLSession

@Suite struct DownloadStateTests {
    /// Returns the resume data of a download whose first 5 bytes are in a file.
    private func resumeData() throws -> ResumeData {
        let url = try #require(URL(string: "https://origin.test/file"))
        let response = try #require(
            HTTPURLResponse(
                url: url,
                statusCode: 200,
                httpVersion: "HTTP/1.1",
                headerFields: ["ETag": "\"one\""]
            )
        )
        return try #require(
            ResumeData(
                request: URLRequest(url: url),
                response: response,
                file: URL(fileURLWithPath: "/nowhere"),
                offset: 5
            )
        )
    }

    @Test("A download requests the complete content instead of the rest once")
    func downloadRestartsOnce() throws {
        let resumeData = try resumeData()
        var download = DownloadState(resuming: resumeData)
        let rest = LoadRequest(resumeData.request, body: .none)
        #expect(rest.request.value(forHTTPHeaderField: "Range") == "bytes=5-")
        let whole = download.restart(rest)
        #expect(whole != nil)
        #expect(whole?.request.value(forHTTPHeaderField: "Range") == nil)
        #expect(download.hasRestarted)
        let again = download.restart(rest)
        #expect(again == nil)
    }

    @Test("A download that requests the complete content isn't restarted")
    func downloadWithoutResumeDataIsNotRestarted() throws {
        var download = DownloadState()
        let request = try resumeData().request
        let whole = download.restart(LoadRequest(request, body: .none))
        #expect(whole == nil)
        #expect(!download.hasRestarted)
    }

    @Test("A later attempt resumes the partial file of the first one")
    func laterAttemptResumesTheFile() throws {
        var download = DownloadState(resuming: try resumeData())
        download.noteFirstAttempt()
        download.prepareNextAttempt()
        let whole = download.resumeAgain()
        #expect(whole == nil)
        #expect(download.resumption?.offset == 5)
    }

    @Test("A later attempt requests the complete content if the partial file was renamed")
    func laterAttemptRestartsWithoutTheFile() throws {
        var download = DownloadState(resuming: try resumeData())
        download.noteFirstAttempt()
        download.noteCompletion()
        download.prepareNextAttempt()
        let whole = download.resumeAgain()
        #expect(whole != nil)
        #expect(whole?.value(forHTTPHeaderField: "Range") == nil)
        #expect(download.resumption == nil)
    }
}
