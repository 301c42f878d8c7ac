import Testing

@testable import CurlURLSession

struct CacheDirectivesTests {
    @Test(arguments: [
        ("max-age=60", 60), ("MAX-AGE=60", 60), ("max-age=\"60\"", 60), ("max-age=0060", 60),
        (" , max-age=60 ,", 60), ("a, max-age=60, b=c", 60), ("x=\"max-age=1\", max-age=60", 60),
        ("x=\"\\\", max-age=1\", max-age=60", 60), ("max-age=99999999999999999999", 2_147_483_648),
        ("max-age=2147483649", 2_147_483_648), ("max-age=60, max-age=30", 30),
        // Values that can't be parsed count as 0.
        ("max-age", 0), ("max-age=", 0), ("max-age=x", 0), ("max-age=60x", 0), ("max-age=6.0", 0),
        ("max-age=-60", 0), ("max-age=+60", 0), ("max-age ='60'", 0), ("max-age =60", 0),
        ("max-age= 60", 0), ("max-age=60, max-age=x", 0), ("max-age=\"60\"0", 0),
        ("max-age=\"\"", 0), ("max-age=٦٠", 0), ("max-age=60;x", 0),
    ])
    func secondsAreANumberOrZero(text: String, seconds: Int) {
        #expect(CacheDirectives([text]).seconds("max-age") == seconds)
    }

    @Test(arguments: ["", ",", "s-maxage=60", "xmax-age=60", "x=\"max-age=60\"", "max-age2=60"])
    func missingDirectiveHasNoSeconds(text: String) {
        #expect(CacheDirectives([text]).seconds("max-age") == nil)
        #expect(!CacheDirectives([text]).contains("max-age"))
    }

    @Test func severalFieldLinesAreReadAsOne() {
        let directives = CacheDirectives(["max-age=60", "no-store, Max-Age=30"])
        #expect(directives.seconds("max-age") == 30)
        #expect(directives.contains("no-store"))
        #expect(CacheDirectives([]).isEmpty)
        #expect(CacheDirectives([" , "]).isEmpty)
    }

    @Test func unreadableLimitIsUnbounded() {
        #expect(CacheDirectives(["min-fresh=5, min-fresh=9"]).mostSeconds("min-fresh") == 9)
        #expect(CacheDirectives(["min-fresh=x"]).mostSeconds("min-fresh") == .max)
        #expect(CacheDirectives(["x"]).mostSeconds("min-fresh") == nil)
    }

    @Test func directivesMayNameFields() {
        let named = CacheDirectives(["no-cache=\"Set-Cookie, x ,\", max-age=1"])
        #expect(named.contains("no-cache"))
        #expect(!named.appliesToAll("no-cache"))
        #expect(named.fieldNames("no-cache").isSuperset(of: ["set-cookie", "x"]))
        let both = CacheDirectives(["no-cache=\"a\", no-cache"])
        #expect(both.appliesToAll("no-cache"))
        #expect(both.fieldNames("no-cache") == ["a"])
        for text in ["no-cache", "no-cache=", "no-cache=\"\"", "no-cache=\" \"", "no-cache =a"] {
            #expect(CacheDirectives([text]).appliesToAll("no-cache"), "\(text)")
        }
    }

    @Test(arguments: ["max-age=60, x=\"a, no-store", "\"", "max-age=60, x=\"\\\""])
    func unterminatedQuotedStringPreventsStoring(text: String) {
        #expect(CacheDirectives([text]).contains("no-store"))
        #expect(!CacheDirectives([text + "\""]).contains("no-store"))
    }
}
