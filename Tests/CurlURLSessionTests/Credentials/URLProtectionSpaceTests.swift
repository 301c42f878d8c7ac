import Foundation
import Testing

@testable import CurlURLSession

struct URLProtectionSpaceTests {
    private func space(
        host: String = "example.com",
        port: Int = 80,
        protocol: String? = "http",
        realm: String? = "r",
        method: String? = NSURLAuthenticationMethodHTTPBasic
    ) -> URLProtectionSpace {
        URLProtectionSpace(
            host: host,
            port: port,
            protocol: `protocol`,
            realm: realm,
            authenticationMethod: method
        )
    }

    private func proxy(type: String?) -> URLProtectionSpace {
        URLProtectionSpace(
            proxyHost: "example.com",
            port: 80,
            type: type,
            realm: "r",
            authenticationMethod: nil
        )
    }

    @Test func serverSpaceHasItsInitialValues() {
        let space = space()
        #expect(space.host == "example.com")
        #expect(space.port == 80)
        #expect(space.protocol == "http")
        #expect(space.realm == "r")
        #expect(space.authenticationMethod == NSURLAuthenticationMethodHTTPBasic)
        #expect(!space.isProxy())
        #expect(space.proxyType == nil)
        #expect(space.distinguishedNames == nil)
        #expect(space.copy() as? URLProtectionSpace === space)
    }

    @Test func proxySpaceHasItsInitialValues() {
        let space = proxy(type: NSURLProtectionSpaceHTTPProxy)
        #expect(space.host == "example.com")
        #expect(space.port == 80)
        #expect(space.protocol == nil)
        #expect(space.realm == "r")
        #expect(space.authenticationMethod == NSURLAuthenticationMethodDefault)
        #expect(space.isProxy())
        #expect(space.proxyType == NSURLProtectionSpaceHTTPProxy)
    }

    @Test func spacesAreEqualWithEqualProperties() {
        #expect(space() == space(host: "EXAMPLE.com"))
        #expect(space().hash == space(host: "EXAMPLE.com").hash)
        let others = [
            space(host: "example.org"), space(port: 81), space(protocol: "https"),
            space(protocol: nil), space(realm: "R"), space(realm: nil), space(method: nil),
            proxy(type: nil), proxy(type: NSURLProtectionSpaceSOCKSProxy),
        ]
        for other in others { #expect(space() != other) }
        #expect(Set(others + others).count == others.count)
        #expect(!space().isEqual("example.com"))
    }

    @Test(arguments: [
        ("https", nil, true), (NSURLProtectionSpaceHTTPS, nil, true), ("ftps", nil, true),
        ("http", nil, false), (nil, nil, false),
        ("http", NSURLAuthenticationMethodHTTPBasic, false),
        ("http", NSURLAuthenticationMethodHTMLForm, false),
        ("http", NSURLAuthenticationMethodHTTPDigest, true),
        ("http", NSURLAuthenticationMethodNTLM, true),
        ("http", NSURLAuthenticationMethodNegotiate, true),
        ("https", NSURLAuthenticationMethodHTTPBasic, true), ("http", "other", false),
    ])
    func passwordIsSecureOverTLSOrWhenNotSent(
        protocol: String?,
        method: String?,
        isSecure: Bool
    ) {
        #expect(space(protocol: `protocol`, method: method).receivesCredentialSecurely == isSecure)
    }

    @Test func descriptionHasTheSpacesProperties() {
        #expect(
            space(realm: nil).description.hasSuffix(
                "Host:example.com, Server:http, Auth-Scheme:NSURLAuthenticationMethodHTTPBasic, "
                    + "Realm:(null), Port:80, Proxy:NO, Proxy-Type:(null)"
            )
        )
    }

    @Test("Given a method that is none of the constants, the description names the default method")
    func descriptionOfAnUnknownMethodNamesTheDefault() {
        let space = space(method: "basic")
        #expect(space.authenticationMethod == "basic")
        #expect(space.description.hasPrefix("<URLProtectionSpace"))
        #expect(space.description.contains("Auth-Scheme:NSURLAuthenticationMethodDefault, "))
    }
}
