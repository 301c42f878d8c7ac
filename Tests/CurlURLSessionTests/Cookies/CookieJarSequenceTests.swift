import Foundation
import TestSupport
import Testing

@testable import CurlURLSession

/// Tests random sequences of insertions, removals and lookups.
struct CookieJarSequenceTests {
    private static let hosts = [
        "example.com", "www.example.com", "a.b.example.com", "example.org", "x.github.io",
        "github.io", "127.0.0.1", "localhost", "co.uk", "a.co.uk",
    ]
    private static let paths = ["/", "/a", "/a/", "/a/b", "/ab", "/b/c/d"]
    private static let domains = [
        "", "", "", "example.com", ".www.example.com", "github.io", "co.uk", "127.0.0.1", "com",
    ]

    private func pick(_ texts: [String], _ generator: inout SeededGenerator) -> String {
        texts.randomElement(using: &generator) ?? ""
    }

    private func url(_ generator: inout SeededGenerator) -> String {
        let scheme = generator.isOne(in: 2) ? "https" : "http"
        return "\(scheme)://\(pick(Self.hosts, &generator))\(pick(Self.paths, &generator))"
    }

    private func field(_ generator: inout SeededGenerator) -> String {
        var field = "c\(Int.random(in: 0..<4, using: &generator))="
        field += "\(Int.random(in: 0..<100, using: &generator))"
        let domain = pick(Self.domains, &generator)
        if !domain.isEmpty { field += "; Domain=\(domain)" }
        if generator.isOne(in: 2) { field += "; Path=\(pick(Self.paths, &generator))" }
        if generator.isOne(in: 3) { field += "; Secure" }
        if generator.isOne(in: 2) {
            field += "; Max-Age=\(Int.random(in: -1..<60, using: &generator))"
        }
        return field
    }

    /// Compares the jar with a simple model of the rules.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func jarMatchesASimpleModel(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var jar = CookieJar()
        var model = CookieModel()
        var sent = 0
        for step in 0..<400 {
            let time = Double(step)
            let url = url(&generator)
            if generator.isOne(in: 2) {
                let field = field(&generator)
                try jar.set(field, from: url, at: time)
                try model.set(field, from: url, at: time)
            }
            let other = self.url(&generator)
            let found = try jar.sent(to: other, at: time)
            #expect(try found == model.sent(to: other, at: time), "seed \(seed), step \(step)")
            if !found.isEmpty { sent += 1 }
        }
        #expect(sent > 20)
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func jarStaysConsistentAfterRandomChanges(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var jar = CookieJar()
        jar.changes = CookieChanges()
        var file = CookieJar()
        for step in 0..<600 {
            let now = Date(at: Double(step))
            switch Int.random(in: 0..<10, using: &generator) {
            case 0:
                if let cookie = jar.all.randomElement(using: &generator) {
                    let wasRemoved = jar.remove(cookie.key, in: cookie.site, now: now)
                    #expect(wasRemoved)
                }
            case 1:
                _ = try jar.sent(to: url(&generator), at: Double(step))
            case 2 where generator.isOne(in: 20):
                _ = jar.removeAll(since: Date(at: Double(step - 5)), now: now)
            case 3:
                _ = file.apply(jar.takeChanges(), now: now)
                expectEqual(jar, file, at: now)
            default:
                try jar.set(field(&generator), from: url(&generator), at: Double(step))
            }
            expectWhole(jar)
        }
        let end = Date(at: 600)
        _ = file.apply(jar.takeChanges(), now: end)
        expectEqual(jar, file, at: end)
    }

    private func expectWhole(_ jar: CookieJar) {
        let all = jar.all
        #expect(jar.count == all.count)
        #expect(Set(all.map(\.key)).count == all.count)
        for (site, cookies) in jar.sites {
            #expect(!cookies.isEmpty && cookies.count <= CookieJar.maximumPerSite)
            #expect(cookies.allSatisfy { $0.site == site })
        }
    }

    /// Expects a file that has applied the changes to hold the jar's persistent cookies.
    private func expectEqual(_ jar: CookieJar, _ file: CookieJar, at now: Date) {
        func text(_ jar: CookieJar) -> [String] {
            jar.persistent.filter { !$0.isExpired(at: now) }
                .map { "\($0.attributes.domain) \($0.key.path) \($0.attributes.pair)" }.sorted()
        }
        #expect(text(jar) == text(file))
    }
}
