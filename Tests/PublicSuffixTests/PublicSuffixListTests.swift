internal import PublicSuffix
internal import Testing

/// Uses names whose rules have been on the list for many years.
@Suite struct PublicSuffixListTests {
    @Test(arguments: [
        ("com", true), ("co.uk", true), ("github.io", true), ("example.com", false),
        ("www.co.uk", false), ("uk", true), ("unlistedtopleveldomain", true),
        ("example.unlistedtopleveldomain", false), ("localhost", true),
        // A wildcard rule with one exception.
        ("ck", true), ("anything.ck", true), ("www.ck", false), ("a.anything.ck", false),
        // 公司.cn and food.公司.cn
        ("xn--55qx5d.cn", true), ("xn--85x722f.xn--55qx5d.cn", false),
    ])
    func publicSuffixesAreRecognised(domain: String, isOne: Bool) {
        #expect(PublicSuffixList.shared.isPublicSuffix(domain) == isOne)
    }

    @Test(arguments: [
        ("www.example.com", "example.com"), ("example.com", "example.com"), ("com", nil),
        ("a.b.example.co.uk", "example.co.uk"), ("co.uk", nil), ("a.b.github.io", "b.github.io"),
        ("github.io", nil), ("a.www.ck", "www.ck"), ("a.b.c.ck", "b.c.ck"),
        ("a.b.unlistedtopleveldomain", "b.unlistedtopleveldomain"), ("localhost", nil),
        ("www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
    ])
    func registrableDomainHasOneMoreLabel(host: String, domain: String?) {
        #expect(PublicSuffixList.shared.registrableDomain(of: host) == domain)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("::1", true), ("2001:db8::1", true), ("1", true), ("10.0.0.1.", true),
        ("a.0x7f", true), ("example.com", false), ("1.example.com", false), ("", false),
        (".", false), ("example.com.", false),
    ])
    func addressesAreRecognised(host: String, isOne: Bool) {
        #expect(PublicSuffixList.isAddress(host) == isOne)
    }

    @Test("An IP address has no registrable domain", arguments: ["10.0.0.1", "::1", "192.0.2.7"])
    func addressHasNoRegistrableDomain(host: String) {
        #expect(PublicSuffixList.shared.registrableDomain(of: host) == nil)
    }
}
