internal import Curl
import Posix
import Testing

@testable import CurlTransport

@Suite struct EnvironmentProxyTests {
    private func read(_ variables: [String: String]) throws -> EnvironmentProxies {
        try EnvironmentProxies { variables[$0] }
    }

    @Test func emptyEnvironmentHasNoProxy() throws {
        let found = try read([:])
        #expect(found.clear == nil)
        #expect(found.secure == nil)
        #expect(found.exceptions.isEmpty)
    }

    @Test func eachSchemeHasItsVariable() throws {
        let found = try read(["http_proxy": "http://a:1", "https_proxy": "http://b:2"])
        #expect(found.clear == ProxyServer(.http, host: "a", port: 1))
        #expect(found.secure == ProxyServer(.http, host: "b", port: 2))
    }

    @Test func uppercaseHTTPProxyIsIgnored() throws {
        let found = try read(["HTTP_PROXY": "http://attacker:1"])
        #expect(found.clear == nil)
        #expect(found.secure == nil)
    }

    @Test func uppercaseHTTPSProxyIsReadSecond() throws {
        #expect(try read(["HTTPS_PROXY": "a:1"]).secure?.host == "a")
        let both = try read(["HTTPS_PROXY": "a:1", "https_proxy": "b:1"])
        #expect(both.secure?.host == "b")
        #expect(both.clear == nil)
    }

    @Test func allProxyAppliesToBothSchemes() throws {
        for name in ["all_proxy", "ALL_PROXY"] {
            let found = try read([name: "socks5h://a:1", "https_proxy": "b:2"])
            #expect(found.clear == ProxyServer(.socks5h, host: "a", port: 1))
            #expect(found.secure == ProxyServer(.http, host: "b", port: 2))
        }
    }

    @Test func emptyVariableIsIgnored() throws {
        let found = try read([
            "http_proxy": "", "all_proxy": "a:1", "no_proxy": "", "NO_PROXY": "b",
        ])
        #expect(found.clear?.host == "a")
        #expect(found.exceptions == ["b"])
    }

    @Test func exceptionsAreSeparatedByCommasOrSpaces() throws {
        let found = try read(["no_proxy": "a.example, .b.example 192.0.2.0/24,,"])
        #expect(found.exceptions == ["a.example", ".b.example", "192.0.2.0/24"])
    }

    @Test func malformedVariableIsNamedWithoutItsValue() throws {
        let error = try #require(throws: InvalidOption.self) {
            try read(["https_proxy": "ftp://user:secret@host:1"])
        }
        #expect(error.description.contains("https_proxy"))
        #expect(!error.description.contains("secret"))
    }

    struct Address: Sendable, CustomTestStringConvertible {
        let text: String
        let server: ProxyServer
        var testDescription: String { text }
    }

    @Test(arguments: [
        Address(text: "a.example", server: ProxyServer(.http, host: "a.example", port: 1080)),
        Address(text: "a:3128/", server: ProxyServer(.http, host: "a", port: 3128)),
        Address(text: "HTTPS://a", server: ProxyServer(.https, host: "a", port: 443)),
        Address(text: "socks4://a:1", server: ProxyServer(.socks4, host: "a", port: 1)),
        Address(text: "socks://a:1", server: ProxyServer(.socks4, host: "a", port: 1)),
        Address(text: "socks4a://a:1", server: ProxyServer(.socks4a, host: "a", port: 1)),
        Address(text: "socks5://a:1", server: ProxyServer(.socks5, host: "a", port: 1)),
        Address(text: "http://[::1]:8080", server: ProxyServer(.http, host: "::1", port: 8080)),
        Address(text: "http://[::1]", server: ProxyServer(.http, host: "::1", port: 1080)),
        Address(
            text: "http://127.0.0.1:",
            server: ProxyServer(.http, host: "127.0.0.1", port: 1080)
        ),
        Address(
            text: "http://us%40er:p%3a%2Fw:x@a:1",
            server: ProxyServer(
                .http,
                host: "a",
                port: 1,
                credentials: Credentials(user: "us@er", password: "p:/w:x")
            )
        ),
        Address(
            text: "user@a:1",
            server: ProxyServer(
                .http,
                host: "a",
                port: 1,
                credentials: Credentials(user: "user", password: "")
            )
        ),
    ])
    func proxyAddressIsParsed(address: Address) throws {
        #expect(try ProxyAddress.parse(address.text, option: "proxy") == address.server)
    }

    @Test(arguments: [
        "://a", "gopher://a", "http://", "http://:80", "http://a:b", "http://a:0", "http://a:65536",
        "http://a:+1", "http://[::1", "http://[::1]x", "http://[a]:1:2", "http://[a]:1",
        "http://[127.0.0.1]:1", "http://a b", "a\r\nb",
        "http://u%4@a", "http://u%zz@a", "http://%FF@a", "http://::1:80", "@",
    ])
    func malformedProxyAddressIsAnError(text: String) {
        #expect(throws: InvalidOption.self) { try ProxyAddress.parse(text, option: "proxy") }
    }

    @Test func policyReadsEnvironmentForBothSchemes() throws {
        var options = TransferOptions()
        options.proxy = .environment
        let variables = ["https_proxy": "http://u:p@a:1", "no_proxy": "b"]
        let prepared = try PreparedOptions(options) { variables[$0] }
        let clear = try prepared.route(isSecure: false).settings
        let secure = try prepared.route(isSecure: true).settings
        #expect(clear.contains(.text(.proxy, "")))
        #expect(clear.contains(.text(.noProxy, "")))
        #expect(secure.contains(.text(.proxy, "http://a:1")))
        #expect(secure.contains(.text(.noProxy, "b")))
        #expect(secure.contains(.text(.proxyUserName, "u")))
        #expect(secure.contains(.text(.proxyPassword, "p")))
        #expect(!clear.contains(.text(.proxyPassword, "p")))
    }
}
