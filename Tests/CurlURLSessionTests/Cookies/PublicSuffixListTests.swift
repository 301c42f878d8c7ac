import Testing

@testable import CurlURLSession

/// Uses names whose rules have been on the list for many years.
struct PublicSuffixListTests {
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
}
