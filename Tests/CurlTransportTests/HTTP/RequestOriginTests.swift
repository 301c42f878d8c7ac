import HTTPTypes
import Testing

@testable import CurlTransport

/// The server of a request, as middleware counts it.
@Suite struct RequestOriginTests {
    private func request(_ scheme: String?, _ authority: String?) -> HTTPRequest {
        HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/")
    }

    @Test(
        "An origin has a scheme and a host in lower case, and a port",
        arguments: [
            ("https", "Example.org", "https://example.org:443"),
            ("HTTP", "example.org", "http://example.org:80"),
            ("https", "example.org:8443", "https://example.org:8443"),
            ("http", "[::1]", "http://[::1]:80"), ("http", "[FE80::1]:81", "http://[fe80::1]:81"),
        ]
    )
    func originIsCanonical(scheme: String, authority: String, origin: String) {
        #expect(request(scheme, authority).origin == origin)
    }

    @Test(
        "Different spellings of a server are one origin",
        arguments: [
            "example.org:443", "example.org:", "example.org:0443", "EXAMPLE.ORG", "example.org.",
            "example.org.:443", "ada:secret@example.org", "a@b@example.org:443",
        ]
    )
    func spellingsAreOneOrigin(_ authority: String) {
        #expect(request("https", authority).origin == "https://example.org:443")
    }

    @Test("Scheme, host and port are known by themselves")
    func partsAreKnown() {
        let origin = RequestOrigin(request("http", "ada@[::1]:8080"))
        #expect(origin.scheme == "http" && origin.host == "::1" && origin.port == 8080)
        #expect(RequestOrigin(origin.text) == origin)
    }

    @Test("A text without scheme and host is no origin", arguments: ["", "example.org", "a:b"])
    func otherTextIsNoOrigin(_ text: String) {
        #expect(RequestOrigin(text) == nil)
    }

    @Test("A request that the transport refuses has an origin, too")
    func refusedRequestHasAnOrigin() {
        #expect(request(nil, nil).origin == "https://:443")
        #expect(request("https", "example.org:99999").origin == "https://example.org:443")
        #expect(request("https", "]:").origin == "https://:443")
    }
}
