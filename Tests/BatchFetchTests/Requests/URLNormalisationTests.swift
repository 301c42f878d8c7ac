import Testing

@testable import BatchFetch

/// Equivalent spellings of hosts and URLs, by which limits and duplicates are found.
@Suite struct URLNormalisationTests {
    @Test(arguments: [
        ("example.org", "example.org"), ("EXAMPLE.Org", "example.org"),
        ("example.org.", "example.org"), ("EXAMPLE.org.", "example.org"), (".", "."),
        ("a..", "a."), ("ÄÖ.example", "äö.example"), ("example.com.4u", "example.com.4u"),
        ("0:0:0:0:0:0:0:1", "::1"), ("FE80:0::1", "fe80::1"), ("2130706433.", "127.0.0.1"),
    ])
    func hostHasOneSpelling(host: String, canonical: String) {
        #expect(HostName.canonical(Substring(host).utf8) == canonical)
    }

    @Test func hostsThatDifferAreKeptApart() {
        let hosts = ["a.example", "b.example", "a.example.org", "aexample", "127.0.0.1", "::1"]
        let canonical = hosts.map { HostName.canonical(Substring($0).utf8) }
        #expect(canonical == hosts)
    }

    private func normalised(_ url: String) throws -> String {
        String(decoding: URLNormalisation.bytes(of: try FetchTarget(url)), as: UTF8.self)
    }

    @Test(arguments: [
        ("https://h/a/b/../../../c", "https://h/c"), ("https://h/a/b/..", "https://h/a/"),
        ("https://h/a/./", "https://h/a/"), ("https://h/a/..?q", "https://h/?q"),
        ("https://h/...", "https://h/..."), ("https://h/.hidden", "https://h/.hidden"),
        ("https://h/a..b", "https://h/a..b"), ("https://h/a/%2e/b", "https://h/a/b"),
        ("https://h/a%2f..%2Fb", "https://h/a%2F..%2Fb"),
    ])
    func dotSegmentsAreRemovedFromThePath(url: String, form: String) throws {
        #expect(try normalised(url) == form)
    }

    @Test(arguments: [
        ("https://h/a?x=/../b", "https://h/a?x=/../b"), ("https://h?x=%2e", "https://h/?x=."),
        ("https://h/?", "https://h/?"), ("https://h/a#x?y", "https://h/a"),
        ("https://h#f", "https://h/"), ("https://h/a?b#c#d", "https://h/a?b"),
        ("https://h/a?b?c", "https://h/a?b?c"), ("https://h/?a=%c3%9f", "https://h/?a=%C3%9F"),
    ])
    func queryIsKeptAndTheFragmentRemoved(url: String, form: String) throws {
        #expect(try normalised(url) == form)
    }

    @Test(arguments: [
        ("https://U:P@H:443/", "https://U:P@h/"), ("http://[0::1]:80/", "http://[::1]/"),
        ("http://h.:8080/", "http://h:8080/"), ("https://h:0443/", "https://h/"),
    ])
    func authorityKeepsItsCredentialsAndOtherPorts(url: String, form: String) throws {
        #expect(try normalised(url) == form)
    }

    private func isNormal(_ url: String) -> Bool { URLNormalisation.isNormal(url.utf8.span) }

    @Test(arguments: [
        "", "http", "http:", "http://", "http:///a", "https://h", "HTTP://h/", "httpss://h/",
        "ftp://h/", "http://h:80/", "http://H/", "http://u@h/", "http://[::1]/", "http://h/a#b",
        "http://h/%41", "http://h/./a", "http://h/a/..", "http://h/ä", "http://ä/", "http://h/a b",
        "http://h/\u{7F}", " http://h/",
    ])
    func quickCheckLeavesOtherURLsToTheFullOne(url: String) {
        #expect(!isNormal(url))
    }

    @Test(arguments: ["http://h/", "https://a-b.example/c..d/e.f?g=h/i&j=//", "http://h/?"])
    func quickCheckAcceptsPlainURLs(url: String) throws {
        #expect(isNormal(url))
        #expect(try normalised(url) == url)
    }
}
