import Testing

@testable import BatchFetch

@Suite struct SafeNameTests {
    private func name(_ url: String) throws -> SafeName { SafeName(try FetchTarget(url)) }

    @Test(arguments: [
        ("https://example.org/a/photo.jpg", "example.org/a/photo.jpg"),
        ("http://example.org/a", "example.org+80/a"),
        ("http://127.0.0.1:8080/a.b/c", "127.0.0.1+8080/a.b/c"),
        ("https://example.org:8443/a", "example.org+8443s/a"),
        ("https://example.org/", "example.org/~index.html"),
        ("https://example.org/a/", "example.org/a/~index.html"),
        ("https://example.org/a%20b", "example.org/a%20b"),
    ])
    func plainURLIsItsOwnName(url: String, expected: String) throws {
        #expect(try name(url).path == expected)
    }

    @Test(arguments: [
        "https://example.org/../../etc/passwd",
        "https://example.org/a/..",
        "https://example.org/.",
        "https://example.org/.bashrc",
        "https://example.org//a",
        "https://example.org/a%00b/\\..\\c",
        "https://example.org/" + String(repeating: "x", count: 5000),
        "https://example.org/" + String(repeating: "abc/", count: 5000),
        "https://example.org/?" + String(repeating: "q", count: 5000),
        "https://" + String(repeating: "h", count: 253) + "/" + String(repeating: "p", count: 5000),
        "https://../a", "https://./..", "https://-/-", "https://[::1]/a", "https://ex/😀é",
        "https://example.org/a.\(String(repeating: "e", count: 300))",
        "https://user:secret@example.org/a",
    ])
    func nameOfAnyURLStaysInsideTheFolderAndFits(url: String) throws {
        for path in [try name(url).path, try name(url).fallback] {
            let components = path.split(separator: "/", omittingEmptySubsequences: false)
            #expect(components.count >= 2)
            #expect(path.utf8.count < 2000)
            for component in components {
                #expect(!component.isEmpty && component.utf8.count <= 255)
                #expect(component.first != ".")
                #expect(component.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
            }
            #expect(!path.contains("secret"))
        }
    }

    @Test func differentURLsHaveDifferentNames() throws {
        let urls = [
            "https://h/a", "http://h/a", "https://h:80/a", "http://h:443/a", "https://h:8080/a",
            "http://h:8080/a", "http://h:80/a", "https://h:443/a", "https://H/a", "HTTPS://h/a",
            "https://h/a?", "https://h/a#", "https://h/a?x", "https://h/a?y", "https://u@h/a",
            "https://h/A", "https://h//a", "https://h/./a", "https://h/../a", "https://h/_/a",
            "https://h", "https://h/", "https://h/~index.html", "https://h/index.html",
            "https://h/?", "https://h/*", "https://h/_", "https://h/:", "https://h/a/",
            "https://h/%61",
            "https://h+80/a", "https://h+8080/a", "https://h%2b80/a",
            "https://h/" + String(repeating: "x", count: 300),
            "https://h/" + String(repeating: "x", count: 301),
            "https://h/" + String(repeating: "x/", count: 1000) + "a",
            "https://h/" + String(repeating: "x/", count: 1001) + "a",
        ]
        var names: [String: String] = [:]
        for url in urls {
            let path = try name(url).path
            #expect(names[path] == nil, "\(url) and \(names[path] ?? "") are both \(path)")
            names[path] = url
            // A URL that imitates another URL's hashed name doesn't collide either.
            let imitation = "https://\(path)"
            guard !urls.contains(imitation), path.contains("~") else { continue }
            #expect(try name(imitation).path != path)
        }
    }

    @Test func hashedNameKeepsItsExtension() throws {
        let path = try name("https://example.org/photo.jpg?w=100").path
        #expect(path.hasPrefix("example.org/photo~"))
        #expect(path.hasSuffix(".jpg"))
        #expect(path.utf8.count == "example.org/photo~0123456789abcdef.jpg".utf8.count)
    }

    @Test func nameIsTheSameInEveryRun() throws {
        #expect(StableHash.digits("".utf8) == "efd01f60ba992926")
        #expect(try name("https://h/a?b").path == name("https://h/a?b").path)
    }
}
