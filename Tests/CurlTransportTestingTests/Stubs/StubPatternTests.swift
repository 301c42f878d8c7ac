internal import CurlTransport
internal import CurlTransportTesting
internal import HTTPTypes
internal import Testing

/// Patterns of routes.
@Suite struct StubPatternTests {
    @Test(
        "A pattern matches the URLs that its documentation lists",
        arguments: [
            (
                "/users", ["http://a/users", "https://b:1/users?x=1"],
                ["http://a/users/", "http://a/"]
            ),
            (
                "/users/*", ["http://a/users/7"],
                ["http://a/users", "http://a/users/", "http://a/users/7/x"]
            ),
            (
                "/users/**", ["http://a/users", "http://a/users/7", "http://a/users/7/x"],
                ["http://a/user"]
            ),
            ("/*/name", ["http://a/7/name"], ["http://a/name", "http://a/7/8/name"]),
            (
                "/users?page=2", ["http://a/users?page=2"],
                ["http://a/users", "http://a/users?page=20"]
            ),
            (
                "https://api.example/users", ["https://API.example/users"],
                ["http://api.example/users", "https://api.example:8443/users"]
            ),
            ("https://api.example", ["https://api.example/"], ["https://api.example/a"]),
            (
                "//*.example/**", ["http://a.example/", "https://a.b.example/c"],
                ["http://example/", "http://aexample/"]
            ),
            ("//*/a", ["http://x/a"], ["http://x/b"]),
            ("//host:81/**", ["http://host:81/"], ["http://host/"]),
            ("/", ["http://a", "http://a/", "http://a/?q"], ["http://a/b"]),
            ("**", ["http://a/", "https://b/c/d?e"], []),
            ("/a//b", ["http://h/a//b"], ["http://h/a/b"]),
        ] as [(String, [String], [String])]
    )
    func patternMatches(_ text: String, _ matching: [String], _ others: [String]) throws {
        let pattern = StubPattern(text)
        #expect(pattern.description == text)
        for url in matching { #expect(pattern.matches(try HTTPRequest(url: url)), "\(url)") }
        for url in others { #expect(!pattern.matches(try HTTPRequest(url: url)), "\(url)") }
    }
}
