import CurlTransport
import HTTPTypes
import Testing

/// Requests for HTTP/3 if libcurl doesn't support it.
struct MissingHTTP3Tests {
    @Test(
        "A request for HTTP/3 fails when libcurl doesn't support HTTP/3",
        .enabled(if: !HTTPVersionPolicy.offersHTTP3)
    )
    func requestForHTTP3IsAnErrorWithoutIt() async throws {
        let client = try HTTPClient()
        var options = client.options
        options.httpVersion = .http3
        let request = try HTTPRequest(url: "https://127.0.0.1:1/")
        let error = await #expect(throws: TransportError.self) {
            _ = try await client.send(request, options: options)
        }
        #expect(error?.code == .unsupportedFeature && error?.bytesSent == 0)
        #expect(error?.message.contains("HTTP/3") == true)
        await client.shutdown()
    }
}
