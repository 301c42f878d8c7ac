internal import HTTPTypes
internal import Posix
internal import Testing

@testable internal import CurlTransport

@Suite struct SharedCachesTests {
    private func place(
        of url: String,
        _ change: (inout TransferOptions) -> Void = { _ in }
    ) throws -> SharedCaches.Place {
        var options = TransferOptions()
        change(&options)
        let endpoint = try Endpoint(of: HTTPRequest(url: url))
        return try PreparedOptions(options, environment: { _ in nil }).cachePlace(of: endpoint)
    }

    @Test(
        "Hosts without a lookup have a cache of their own",
        arguments: ["http://127.0.0.1/", "https://[::1]:8443/", "http://localhost/"]
    )
    func addressesHaveOwnCache(url: String) throws {
        #expect(try place(of: url) == .addresses)
    }

    @Test("All spellings and ports of a name have one cache")
    func nameHasOneCache() throws {
        let first = try place(of: "http://a.example/")
        #expect(first == .name(FNV1a.hash(of: "a.example")))
        #expect(try place(of: "https://A.example:8443/x") == first)
        #expect(try place(of: "http://b.example/") != first)
    }

    @Test("The names of many hosts are spread over all caches")
    func namesAreSpread() throws {
        var caches = SharedCaches()
        var counts: [ObjectIdentifier: Int] = [:]
        for number in 0..<100 * SharedCaches.nameCount {
            let place = SharedCaches.Place.name(FNV1a.hash(of: "host-\(number).example"))
            let cache = try caches.cache(for: place)
            counts[ObjectIdentifier(cache), default: 0] += 1
        }
        #expect(counts.count == SharedCaches.nameCount)
        #expect(counts.values.max() ?? 0 < 200)
    }

    @Test("All hosts behind a proxy have the cache of the proxy's name")
    func proxyHasOneCache() throws {
        let proxy: (inout TransferOptions) -> Void = {
            $0.proxy = .server(ProxyServer(.http, host: "proxy.example", port: 3128))
        }
        let first = try place(of: "http://a.example/", proxy)
        #expect(try place(of: "http://b.example/", proxy) == first)
        #expect(try place(of: "http://127.0.0.1/", proxy) == first)
        #expect(try place(of: "http://a.example/") != first)
    }

    @Test("Addresses in the options aren't cached with other names")
    func overridesHaveOwnCache() throws {
        let entry = ResolveOverride(host: "a.example", port: 80, addresses: ["127.0.0.1"])
        #expect(try place(of: "http://a.example/") { $0.resolve = [entry] } == .overrides)
    }
}
