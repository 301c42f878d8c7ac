internal import CurlNetworking
internal import Foundation
internal import Testing

@Suite struct ExportTests {
    /// Only one import provides the URL loading system's types that this file uses.
    @Test func oneImportExportsTheURLLoadingSystem() throws {
        let url = try #require(URL(string: "http://127.0.0.1/"))
        #expect(URLRequest(url: url).httpMethod == "GET")
    }
}
