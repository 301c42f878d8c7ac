import Curl
import Posix
import Testing

struct CurlURLTests {
    @Test func partsMatchLibcurl() throws {
        let url = try CurlURL(parsing: "HTTP://us%20er:p%2Fw@Host.example:8080/a/../b?x=1#frag")
        #expect(url.scheme == "http")
        #expect(try url.user == "us er")
        #expect(try url.password == "p/w")
        #expect(url.hasUserInfo == true)
        #expect(url.host == "Host.example")
        #expect(url.port == 8080)
        #expect(url.authority == "Host.example:8080")
        #expect(url.path == "/a/../b")
        #expect(url.query == "x=1")
        #expect(url.pathAndQuery == "/a/../b?x=1")
        #expect(url.fragment == "frag")
        #expect(url.string == "http://Host.example:8080/a/../b?x=1")
        #expect(url.redacted == "http://Host.example:8080/a/../b")
    }

    @Test func absentPartsAreNil() throws {
        let url = try CurlURL(parsing: "https://host")
        #expect(url.port == 443)
        #expect(url.explicitPort == nil)
        #expect(url.path == "/")
        #expect(url.query == nil)
        #expect(url.fragment == nil)
        #expect(try url.user == nil)
        #expect(try url.password == nil)
        #expect(url.hasUserInfo == false)
    }

    @Test(arguments: [
        ("http://h:80/", "http://h/"), ("https://h:443/x", "https://h/x"),
        ("http://h:443/", "http://h:443/"), ("http://h?", "http://h/?"),
        ("http://h/?#", "http://h/?"), ("http://[::1]:80/", "http://[::1]/"),
        ("http://[fe80::1%25eth0]:81/", "http://[fe80::1%25eth0]:81/"),
        ("http://h/ü?ü", "http://h/%C3%BC?%C3%BC"), ("http://h/%zz%0d", "http://h/%zz%0d"),
        ("http://h/./a/..", "http://h/./a/.."),
        ("http://bücher.example/", "http://bücher.example/"),
    ])
    func stringIsTheURLToFetch(input: String, expected: String) throws {
        let url = try CurlURL(parsing: input)
        #expect(url.string == expected)
    }

    @Test(arguments: [
        ("", CurlURL.Failure.Reason.noScheme), ("h/x", .noScheme), ("//h/x", .noScheme),
        ("1http://h/", .noScheme), ("http:h", .noHost), ("http:/h", .noHost),
        ("http:///h", .noHost), ("http://", .noHost), ("mailto:x@y", .unsupportedScheme),
        ("file:///x", .unsupportedScheme),
        ("gurk://h/", .unsupportedScheme), ("http://h:99999/", .badPort),
        ("http://h:x/", .badPort), ("http://[::1/", .badHost), ("http://a\\b/", .badHost),
        ("http://h/a b", .illegalByte(0x20, offset: 10)),
        ("http://h/\0", .illegalByte(0, offset: 9)),
        ("http://h\r\n/", .illegalByte(13, offset: 8)),
        ("http://h/\u{7f}", .illegalByte(0x7f, offset: 9)),
    ])
    func invalidURLIsAnErrorWithReason(text: String, reason: CurlURL.Failure.Reason) {
        let error = #expect(throws: CurlURL.Failure.self) { _ = try CurlURL(parsing: text) }
        #expect(error?.reason == reason)
        #expect(error?.description.isEmpty == false)
    }

    @Test("A host of more than 253 characters is an error, in a URL and in a reference")
    func longHostIsAnError() throws {
        let base = try CurlURL(parsing: "http://h/")
        for host in [
            String(repeating: "a", count: 254), String(repeating: "ä", count: 254),
            String(repeating: "%61", count: 254), String(repeating: "a", count: 95_000),
            "u:p@" + String(repeating: "a", count: 254) + ".:80",
        ] {
            let failure = #expect(throws: CurlURL.Failure.self) {
                _ = try CurlURL(parsing: "http://\(host)/")
            }
            #expect(failure?.reason == .longHost)
            let redirect = #expect(throws: CurlURL.Failure.self) {
                _ = try CurlURL(parsing: "//\(host)/", relativeTo: base)
            }
            #expect(redirect?.reason == .longHost)
        }
    }

    @Test("A host of 253 characters is accepted, however many bytes the authority has")
    func longestHostIsAccepted() throws {
        let host = String(repeating: "a", count: 253)
        for authority in [
            host, host + ".", String(repeating: "%61", count: 253), "u:\(host)@\(host):8080",
            String(repeating: "ä", count: 253), "h:" + String(repeating: "0", count: 300) + "80",
        ] {
            let url = try CurlURL(parsing: "http://\(authority)/")
            let count = url.host.unicodeScalars.count
            #expect(count <= 254)
        }
    }

    @Test func controlByteInUserInfoIsAnError() throws {
        let url = try CurlURL(parsing: "http://a%0d%0ab:c%00@h/")
        #expect(throws: CurlURL.Failure.self) { _ = try url.user }
        #expect(throws: CurlURL.Failure.self) { _ = try url.password }
        #expect(url.redacted == "http://h/")
    }

    @Test(arguments: [
        ("http://127.0.0.1/", true), ("http://127.1/", true), ("http://0x7f.1/", true),
        ("http://[::1]/", true), ("http://1.2.3.4.5/", false), ("http://localhost/", false),
        ("http://1.example/", false),
    ])
    func numericAddressIsDistinguishedFromName(text: String, isNumeric: Bool) throws {
        let url = try CurlURL(parsing: text)
        #expect(url.isNumericHost == isNumeric)
    }

    @Test(arguments: [
        ("http://h/a", "http://H:80/b", true), ("http://h/", "https://h/", false),
        ("http://h/", "http://h:81/", false), ("http://h/", "http://h.example/", false),
        ("https://[::1]/", "https://[::1]:443/", true),
    ])
    func originIsSchemeHostAndPort(one: String, other: String, isSame: Bool) throws {
        let first = try CurlURL(parsing: one)
        let second = try CurlURL(parsing: other)
        #expect(first.hasSameOrigin(as: second) == isSame)
    }

    // The table of RFC 3986, section 5.4, except the references to other schemes. The base has the
    // scheme http.
    @Test(arguments: [
        ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"),
        ("g?y", "/b/c/g?y"), ("#s", "/b/c/d;p?q"), ("g#s", "/b/c/g"), ("g?y#s", "/b/c/g?y"),
        (";x", "/b/c/;x"), ("g;x", "/b/c/g;x"), ("g;x?y#s", "/b/c/g;x?y"), ("", "/b/c/d;p?q"),
        (".", "/b/c/"), ("./", "/b/c/"), ("..", "/b/"), ("../", "/b/"), ("../g", "/b/g"),
        ("../..", "/"), ("../../", "/"), ("../../g", "/g"), ("../../../g", "/g"),
        ("../../../../g", "/g"), ("/./g", "/g"), ("/../g", "/g"), ("g.", "/b/c/g."),
        (".g", "/b/c/.g"), ("g..", "/b/c/g.."), ("..g", "/b/c/..g"), ("./../g", "/b/g"),
        ("./g/.", "/b/c/g/"), ("g/./h", "/b/c/g/h"), ("g/../h", "/b/c/h"),
        ("g;x=1/./y", "/b/c/g;x=1/y"), ("g;x=1/../y", "/b/c/y"), ("g?y/./x", "/b/c/g?y/./x"),
        ("g?y/../x", "/b/c/g?y/../x"), ("g#s/../x", "/b/c/g"),
    ])
    func referenceIsResolvedByRFC3986(reference: String, expected: String) throws {
        let base = try CurlURL(parsing: "http://a/b/c/d;p?q")
        let url = try CurlURL(parsing: reference, relativeTo: base)
        #expect(url.string == "http://a\(expected)")
    }

    @Test(arguments: [
        ("//g", "https://g/"), ("//g:81/x", "https://g:81/x"), ("http://g/../x", "http://g/x"),
        ("a b?c d", "https://a:8443/b/a%20b?c%20d"), ("/ü", "https://a:8443/%C3%BC"),
        ("http://u:p@g/", "http://g/"), ("x?", "https://a:8443/b/x?"),
        ("http://b\u{fc}cher.example/", "http://bücher.example/"),
        ("/x:y", "https://a:8443/x:y"), ("\u{9}x", "https://a:8443/b/%09x"),
    ])
    func serverReferenceIsResolved(reference: String, expected: String) throws {
        let base = try CurlURL(parsing: "https://u:p@a:8443/b/c?q#f")
        let url = try CurlURL(parsing: reference, relativeTo: base)
        #expect(url.string == expected)
    }

    @Test func inheritedPathKeepsDotSegments() throws {
        let base = try CurlURL(parsing: "http://h/a/../b?c")
        let query = try CurlURL(parsing: "?d", relativeTo: base)
        #expect(query.string == "http://h/a/../b?d")
        let leaf = try CurlURL(parsing: "d", relativeTo: base)
        #expect(leaf.string == "http://h/d")
    }

    @Test func nonUTF8BytesAreEncoded() throws {
        let base = try CurlURL(parsing: "http://h/")
        let url = try CurlURL(parsing: [0x63, 0x61, 0x66, 0xe9, 0, 10], relativeTo: base)
        #expect(url.string == "http://h/caf%E9%00%0A")
    }

    @Test(arguments: [
        "http:g", "http:", "http://", "//", "mailto:x", "gurk://h/", "//h:99999/", "//a b/",
        "//[::1", "//\0", "javascript:alert(1)", "http:///x",
    ])
    func invalidReferenceIsAnError(reference: String) throws {
        let base = try CurlURL(parsing: "http://a/b")
        #expect(throws: CurlURL.Failure.self) {
            _ = try CurlURL(parsing: reference, relativeTo: base)
        }
    }

    @Test func arbitraryBytesNeverTrap() throws {
        var random = SystemRandomNumberGenerator()
        let base = try CurlURL(parsing: "http://a/b?c")
        let alphabet = Array("ht/:?#@[]%.\\ \0\r\nüé09".utf8) + [0xff, 0x7f]
        for _ in 0..<20_000 {
            let count = Int.random(in: 0..<24, using: &random)
            let bytes = (0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            do {
                let url = try CurlURL(parsing: bytes, relativeTo: base)
                #expect(!url.host.isEmpty)
                #expect(url.string.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f })
                #expect(url.path.utf8.first == UInt8(ascii: "/"))
            } catch {
                #expect(!error.message.isEmpty)
            }
        }
    }
}
