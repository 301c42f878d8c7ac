import CurlTransport
import Foundation
import Testing

@testable import CurlURLSession

struct ProxyDictionaryTests {
    private func policy(_ dictionary: [AnyHashable: Any]) throws(TransportError) -> ProxyPolicy {
        try ProxyDictionary(PlainValue.table(dictionary)).policy()
    }

    /// A valid dictionary, and its proxy policy.
    struct Valid: Sendable, CustomTestStringConvertible {
        let name: String
        let policy: ProxyPolicy
        let make: @Sendable () -> [AnyHashable: Any]

        init(
            _ name: String,
            _ policy: ProxyPolicy,
            _ make: @escaping @Sendable () -> [AnyHashable: Any]
        ) {
            (self.name, self.policy, self.make) = (name, policy, make)
        }

        var testDescription: String { name }
    }

    private static func server(
        _ kind: ProxyServer.Kind,
        _ host: String,
        _ port: Int,
        user: String? = nil,
        password: String = ""
    ) -> ProxyServer {
        let credentials = user.map { Credentials(user: $0, password: password) }
        return ProxyServer(kind, host: host, port: port, credentials: credentials)
    }

    static let valid: [Valid] = [
        Valid("nothing", .none) { [:] },
        Valid("switched off", .none) { ["HTTPEnable": 0, "HTTPProxy": "p", "HTTPPort": 1] },
        Valid("for http alone", .servers(http: server(.http, "p", 8080), https: nil)) {
            ["HTTPEnable": 1, "HTTPProxy": "p", "HTTPPort": 8080]
        },
        Valid("for https alone", .servers(http: nil, https: server(.http, "p", 8443))) {
            ["HTTPSEnable": true, "HTTPSProxy": "p", "HTTPSPort": 8443]
        },
        Valid(
            "two with their usual ports",
            .servers(http: server(.http, "a", 80), https: server(.http, "b", 443))
        ) {
            ["HTTPEnable": 1, "HTTPProxy": "a", "HTTPSEnable": 1, "HTTPSProxy": "b"]
        },
        Valid(
            "socks for both",
            .servers(http: server(.socks5h, "s", 1080), https: server(.socks5h, "s", 1080))
        ) {
            ["SOCKSEnable": 1, "SOCKSProxy": "s"]
        },
        Valid(
            "socks where there is no other",
            .servers(http: server(.socks4a, "s", 1), https: server(.http, "p", 2))
        ) {
            [
                "SOCKSEnable": 1, "SOCKSProxy": "s", "SOCKSPort": 1,
                "SOCKSVersion": "kCFStreamSocketSOCKSVersion4", "HTTPSEnable": 1,
                "HTTPSProxy": "p", "HTTPSPort": 2,
            ]
        },
        Valid(
            "users",
            .servers(
                http: server(.http, "p", 1, user: "u", password: "x"),
                https: server(.socks5h, "s", 2, user: "v", password: "y")
            )
        ) {
            [
                "HTTPEnable": 1, "HTTPProxy": "p", "HTTPPort": 1, "SOCKSEnable": 1,
                "SOCKSProxy": "s", "SOCKSPort": 2, "SOCKSUser": "v", "SOCKSPassword": "y",
                "SOCKSVersion": 5, kCFProxyUsernameKey: "u", kCFProxyPasswordKey: "x",
            ]
        },
        Valid(
            "the constants",
            .servers(
                http: server(.http, "a", 1),
                https: server(.http, "b", 2),
                exceptions: ["c.example"]
            )
        ) {
            [
                kCFNetworkProxiesHTTPEnable: 1, kCFNetworkProxiesHTTPProxy: "a",
                kCFNetworkProxiesHTTPPort: 1, kCFNetworkProxiesHTTPSEnable: 1,
                kCFNetworkProxiesHTTPSProxy: "b", kCFNetworkProxiesHTTPSPort: 2,
                kCFNetworkProxiesExceptionsList: ["c.example"],
            ]
        },
        Valid(
            "the constants for SOCKS",
            .servers(
                http: server(.socks4a, "s", 3, user: "u", password: "p"),
                https: server(.socks4a, "s", 3, user: "u", password: "p")
            )
        ) {
            [
                kCFNetworkProxiesSOCKSEnable: 7, kCFNetworkProxiesSOCKSProxy: "s",
                kCFNetworkProxiesSOCKSPort: 3, kCFStreamPropertySOCKSUser: "u",
                kCFStreamPropertySOCKSPassword: "p",
                kCFStreamPropertySOCKSVersion: kCFStreamSocketSOCKSVersion4,
            ]
        },
        Valid("an address", .servers(http: server(.http, "::1", 1), https: nil)) {
            ["HTTPEnable": 1, "HTTPProxy": "[::1]", "HTTPPort": 1]
        },
        Valid(
            "exceptions",
            .servers(
                http: server(.http, "p", 1),
                https: nil,
                exceptions: [
                    "a.example", "b.example", "192.0.2.1", "169.254.0.0/16", "10.0.0.0/8",
                    "192.0.2.0/24", "2001:db8::/32", "*",
                ]
            )
        ) {
            [
                "HTTPEnable": 1, "HTTPProxy": "p", "HTTPPort": 1,
                "ExceptionsList": [
                    "a.example", "*.b.example", "192.0.2.1", "169.254/16", "10/8",
                    "192.0.2.0/24", "2001:db8::/32", "*",
                ],
            ]
        },
        Valid("other protocols", .none) {
            [
                "FTPEnable": 1, "FTPProxy": "f", "FTPPort": 21, "RTSPEnable": 0,
                "GopherProxy": "g", "ProxyAutoConfigEnable": 0,
                "ProxyAutoConfigURLString": "http://h/pac", "ExcludeSimpleHostnames": 0,
            ]
        },
        Valid("objects of Foundation", .servers(http: server(.http, "p", 8080), https: nil)) {
            [
                NSString(string: "HTTPEnable"): NSNumber(value: 1),
                NSString(string: "HTTPProxy"): NSString(string: "p"),
                NSString(string: "HTTPPort"): NSNumber(value: 8080),
            ]
        },
    ]

    @Test("C21: The proxy dictionary sets the proxy for each scheme", arguments: valid)
    func proxyDictionarySetsTheProxies(row: Valid) throws {
        #expect(try policy(row.make()) == row.policy)
        // The policy can be prepared without an error.
        var options = TransferOptions()
        options.proxy = row.policy
        _ = try PreparedOptions(options)
    }

    /// An invalid dictionary, and the key that the error names.
    struct Malformed: Sendable, CustomTestStringConvertible {
        let key: String
        let make: @Sendable () -> [AnyHashable: Any]

        init(_ key: String, _ make: @escaping @Sendable () -> [AnyHashable: Any]) {
            (self.key, self.make) = (key, make)
        }

        var testDescription: String { "\(key) in \(make())" }
    }

    static let malformed: [Malformed] = [
        Malformed("HTTPEnable") { ["HTTPProxy": "secret", "HTTPPort": 1] },
        Malformed("HTTPSEnable") { ["HTTPSPort": 1] },
        Malformed("SOCKSEnable") { ["SOCKSProxy": "secret"] },
        Malformed("HTTPEnable") { ["HTTPEnable": "secret", "HTTPProxy": "p"] },
        Malformed("HTTPProxy") { ["HTTPEnable": 1] },
        Malformed("HTTPProxy") { ["HTTPEnable": 1, "HTTPProxy": ""] },
        Malformed("HTTPProxy") { ["HTTPEnable": 1, "HTTPProxy": 1] },
        Malformed("HTTPProxy") { ["HTTPEnable": 1, "HTTPProxy": "http://secret:1/"] },
        Malformed("HTTPPort") { ["HTTPEnable": 1, "HTTPProxy": "p", "HTTPPort": 0] },
        Malformed("HTTPPort") { ["HTTPEnable": 1, "HTTPProxy": "p", "HTTPPort": 65_536] },
        Malformed("HTTPPort") { ["HTTPEnable": 1, "HTTPProxy": "p", "HTTPPort": "secret"] },
        // Values of a disabled proxy must be valid too.
        Malformed("HTTPPort") { ["HTTPEnable": 0, "HTTPProxy": "p", "HTTPPort": -1] },
        Malformed("SOCKSVersion") { ["SOCKSEnable": 1, "SOCKSProxy": "p", "SOCKSVersion": 6] },
        Malformed("kCFProxyUsernameKey") {
            ["HTTPEnable": 1, "HTTPProxy": "p", "kCFProxyPasswordKey": "secret"]
        },
        Malformed("SOCKSUser") {
            ["SOCKSEnable": 1, "SOCKSProxy": "p", "SOCKSPassword": "secret"]
        },
        Malformed("kCFProxyUsernameKey") {
            ["HTTPEnable": 1, "HTTPProxy": "p", "kCFProxyUsernameKey": 1]
        },
        Malformed("ExceptionsList") {
            ["HTTPEnable": 1, "HTTPProxy": "p", "ExceptionsList": "a"]
        },
        Malformed("ProxyAutoConfigEnable") { ["ProxyAutoConfigEnable": 1] },
        Malformed("ProxyAutoDiscoveryEnable") { ["ProxyAutoDiscoveryEnable": true] },
        Malformed("ExcludeSimpleHostnames") { ["ExcludeSimpleHostnames": 1] },
        Malformed("HTTPEnabled") { ["HTTPEnabled": 1, "HTTPProxy": "p"] },
        Malformed("7") { [7: 1] },
    ]

    @Test("C21: An invalid proxy dictionary is an error that names the key", arguments: malformed)
    func invalidProxyDictionaryErrorNamesTheKey(row: Malformed) {
        let error = #expect(throws: TransportError.self) { try policy(row.make()) }
        #expect(error?.code == .configuration)
        #expect(error?.message.contains(" \(row.key) ") == true, "\(error.map { "\($0)" } ?? "")")
        #expect(error?.message.contains("connectionProxyDictionary") == true)
        #expect(error?.message.contains("secret") == false)
    }

    @Test(arguments: [
        "", "*.", "a*", "*a.example", "a.*.example", "<local>", "a b", "a,b", "10.0.0.0.0/8",
        "10/33", "10/", "x/8", "256/8", "*/8",
    ])
    func invalidExceptionPatternIsAnError(text: String) {
        let error = #expect(throws: TransportError.self) {
            try policy(["HTTPEnable": 1, "HTTPProxy": "p", "ExceptionsList": ["a", text]])
        }
        #expect(error?.message.contains("ExceptionsList") == true)
    }
}
