internal import CurlNetworking
internal import Foundation
internal import Testing

@Suite struct ExportTests {
    /// What this file uses of the URL loading system, it has by way of the one import.
    @Test func oneImportBringsTheURLLoadingSystem() throws {
        let url = try #require(URL(string: "http://127.0.0.1/"))
        #expect(URLRequest(url: url).httpMethod == "GET")
    }
}
