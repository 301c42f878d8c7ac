internal import HTTPTypes
internal import TestSupport
internal import Testing

@testable internal import CurlTransport

@Suite struct LoopKeyTests {
    private func key(_ scheme: String, _ authority: String) -> LoopKey {
        LoopKey(HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/"))
    }

    @Test("Spellings of an origin have one key")
    func spellingsAreEqual() {
        #expect(key("https", "Example.ORG:443") == key("https", "example.org"))
        #expect(key("HTTPS", "example.org:443") == key("https", "example.org"))
        #expect(key("http", "example.org:80") == key("http", "EXAMPLE.org"))
        #expect(
            key("https", "A.test:443").home(of: 7) == key("https", "a.test").home(of: 7)
        )
    }

    @Test("Different origins have different keys")
    func originsDiffer() {
        #expect(key("http", "example.org") != key("https", "example.org"))
        #expect(key("http", "example.org:443") != key("http", "example.org"))
        #expect(key("http", "a.test") != key("http", "b.test"))
    }

    @Test("Origins are divided among all loops")
    func homesAreDivided() {
        let homes = (0..<1_000).map { key("http", "host-\($0).test").home(of: 4) }
        for loop in 0..<4 { #expect(homes.count { $0 == loop } > 150) }
    }
}
