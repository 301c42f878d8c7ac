import Testing

@testable import HTTPSemantics

/// Rules for cookies that need only text. `CurlURLSessionTests` and `BatchFetchTests` test more of
/// them.
@Suite struct CookieRulesTests {
    @Test("A field is split into its pair and attributes; the last attribute of a name counts")
    func fieldsAreSplit() throws {
        let field = try #require(SetCookieField(" a = b=c ; Path=/x; PATH = /y ;Secure; x="))
        #expect(field.name == "a" && field.value == "b=c")
        #expect(field.attributes == ["path": "/y", "secure": "", "x": ""])
        let plain = try #require(SetCookieField("value"))
        #expect(plain.name == "" && plain.value == "value")
        #expect(SetCookieField("a=b\u{1}") == nil)
        #expect(SetCookieField("a=" + String(repeating: "x", count: 4096)) == nil)
    }

    @Test(
        "A maximum age is a number; zero and less mean that the cookie has expired",
        arguments: [("5", 5), ("0", 0), ("-1", 0), ("00", 0), ("", nil), ("1s", nil), ("-", nil)]
            as [(String, Double?)]
    )
    func maximumAgesAreNumbers(text: String, seconds: Double?) {
        #expect(CookieRules.maximumAge(text) == seconds)
    }

    @Test(
        "A path includes the paths below it",
        arguments: [
            ("/a", "/a", true), ("/a/b", "/a", true), ("/ab", "/a", false), ("/a/b", "/a/", true),
            ("/", "/a", false), ("/a", "/", true),
        ]
    )
    func pathsIncludePathsBelow(path: String, folder: String, isWithin: Bool) {
        #expect(CookieRules.isPath(path, within: folder) == isWithin)
    }

    @Test("The default path is the directory of the URL's path")
    func defaultPathIsTheDirectory() {
        let paths = ["/a/b", "/a/", "/a", "/", "", "x"].map {
            CookieRules.defaultPath(ofURLPath: $0)
        }
        #expect(paths == ["/a", "/a", "/", "/", "/", "/"])
    }
}
