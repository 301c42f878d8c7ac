internal import Foundation
internal import Testing

@testable internal import CurlURLSession

/// When two URLs have the same origin (RFC 6454, 4 and 5).
@Suite struct URLOriginTests {
    @Test(
        "Two URLs have the same origin if scheme, host and port are equal",
        arguments: [
            ("https://h/v1/", "https://h/", true),
            ("https://h/", "https://me:secret@h/a?b#c", true),
            ("https://h/", "HTTPS://H/a", true), ("https://h/", "https://h:443/", true),
            ("http://h/", "http://h:80/", true), ("http://h/", "http://h:443/", false),
            ("https://h/", "https://h:80/", false), ("https://h/", "https://h:444/", false),
            ("https://h:444/", "https://H:444/a", true), ("http://h/", "https://h/", false),
            ("http://h:443/", "https://h/", false), ("https://h/", "https://i/", false),
            ("https://h/", "https://h.i/", false), ("https://h/", "https://h./", false),
        ]
    )
    func originIsSchemeHostAndPort(one: String, other: String, isSame: Bool) throws {
        try expect(one, other, isSame)
    }

    @Test(
        "IPv6 addresses are compared without case, with the default ports",
        arguments: [
            ("http://[::1]/", "http://[::1]:80/", true),
            ("https://[2001:DB8::A]/", "https://[2001:db8::a]:443/", true),
            ("http://[::1]/", "http://[::2]/", false),
            ("http://[::1]:81/", "http://[::1]/", false),
            ("http://[::1]/", "http://[::1:80]/", false),
        ]
    )
    func addressesAreCompared(one: String, other: String, isSame: Bool) throws {
        try expect(one, other, isSame)
    }

    @Test(
        "WebSockets have the default ports of HTTP, and are other origins",
        arguments: [
            ("ws://h/", "ws://h:80/", true), ("wss://h/", "WSS://h:443/", true),
            ("wss://h/", "wss://h:80/", false), ("ws://h/", "wss://h/", false),
            ("ws://h/", "http://h/", false), ("wss://h/", "https://h/", false),
        ]
    )
    func webSocketsHaveDefaultPorts(one: String, other: String, isSame: Bool) throws {
        try expect(one, other, isSame)
    }

    @Test(
        "A missing port of another scheme is no port's equal",
        arguments: [
            ("foo://h/", "FOO://H/a", true), ("foo://h:9/", "foo://h:9/", true),
            ("foo://h/", "foo://h:80/", false), ("foo://h:443/", "foo://h:80/", false),
        ]
    )
    func otherSchemesHaveNoDefaultPort(one: String, other: String, isSame: Bool) throws {
        try expect(one, other, isSame)
    }

    @Test(
        "A URL without a host has no origin",
        arguments: ["data:,a", "file:///a", "mailto:a@h", "/a"]
    )
    func urlWithoutHostHasNoOrigin(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(!url.isSameOrigin(as: url))
        #expect(url.originText == nil)
    }

    @Test("A relative URL has its base's origin")
    func relativeURLHasOriginOfBase() throws {
        let base = try #require(URL(string: "https://h/a/"))
        let relative = try #require(URL(string: "b", relativeTo: base))
        let other = try #require(URL(string: "https://h:443/"))
        #expect(relative.isSameOrigin(as: other))
        #expect(other.isSameOrigin(as: relative))
    }

    /// The order of the two URLs makes no difference.
    private func expect(_ one: String, _ other: String, _ isSame: Bool) throws {
        let first = try #require(URL(string: one))
        let second = try #require(URL(string: other))
        #expect(first.isSameOrigin(as: second) == isSame, "\(one) \(other)")
        #expect(second.isSameOrigin(as: first) == isSame, "\(other) \(one)")
    }
}
