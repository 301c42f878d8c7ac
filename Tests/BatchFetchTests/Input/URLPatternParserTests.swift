import Testing

@testable import BatchFetch

/// The syntax of URL patterns: ranges, steps, escapes, and messages about malformed ones.
@Suite struct URLPatternParserTests {
    private func failure(_ text: String) -> BatchFailure? {
        #expect(throws: BatchFailure.self) { try URLPattern(text) }
    }

    @Test(
        "Steps count from the first value, and the last value may be skipped",
        arguments: [
            ("{1..10..4}", ["1", "5", "9"]), ("{10..1..4}", ["10", "6", "2"]),
            ("{1..5..100}", ["1"]), ("{3..0..3}", ["3", "0"]), ("{7..7..5}", ["7"]),
            ("{a..g..3}", ["a", "d", "g"]), ("{g..a..4}", ["g", "c"]),
            ("[a-e:2]", ["a", "c", "e"]),
            ("[9-1:4]", ["9", "5", "1"]), ("{X..Z}", ["X", "Y", "Z"]), ("{a..z..25}", ["a", "z"]),
            ("{z..a..25}", ["z", "a"]), ("{1..5..02}", ["1", "3", "5"]),
        ]
    )
    func stepCountsFromTheFirstValue(text: String, expected: [String]) throws {
        #expect(Array(try URLPattern(text)) == expected)
    }

    @Test(
        "A leading zero in either value pads all values to the longer one",
        arguments: [
            ("{01..3}", ["01", "02", "03"]), ("{1..03}", ["01", "02", "03"]),
            ("{001..3..2}", ["001", "003"]), ("{10..08}", ["10", "09", "08"]),
            ("{0..2}", ["0", "1", "2"]), ("{00..2}", ["00", "01", "02"]), ("{9..10}", ["9", "10"]),
            ("{099..0100}", ["0099", "0100"]), ("[8-010:2]", ["008", "010"]),
        ]
    )
    func leadingZeroPadsAllValues(text: String, expected: [String]) throws {
        #expect(Array(try URLPattern(text)) == expected)
    }

    @Test(
        "Alternatives are kept as they are, also empty and equal ones",
        arguments: [
            ("{,}", ["", ""]), ("x{,y}", ["x", "xy"]), ("{a,a}", ["a", "a"]),
            ("{1..3,b}", ["1..3", "b"]), ("{ a, b}", [" a", " b"]), ("{[1-2],x}", ["[1-2]", "x"]),
            ("{ä,漢}", ["ä", "漢"]), ("{a,b}{c,d}", ["ac", "ad", "bc", "bd"]),
        ]
    )
    func alternativesAreKept(text: String, expected: [String]) throws {
        #expect(Array(try URLPattern(text)) == expected)
    }

    @Test(
        "Brackets without a range, closing braces and backslashes are part of the URL",
        arguments: [
            "http://[2001:db8::1-2]:80/", "a[]=1", "[a]", "[ab-c]", "[1-2-3]", "[1-2:3:4]", "[-]",
            "[1-]", "[a-b", "a}b", "]", #"C:\path"#, #"a\"#, "[é-z]", "[٣-٥]",
        ]
    )
    func otherCharactersAreKept(text: String) throws {
        let pattern = try URLPattern(text)
        #expect(pattern.isPlain)
        #expect(Array(pattern) == [text])
    }

    @Test(
        "A backslash escapes braces, brackets and itself",
        arguments: [
            (#"\{a,b\}"#, ["{a,b}"]), (#"\[1-2\]"#, ["[1-2]"]), (#"\\{1..2}"#, [#"\1"#, #"\2"#]),
            (#"\\\{"#, [#"\{"#]), (#"\{{1..2}\}"#, ["{1}", "{2}"]), (#"[1-2]\]"#, ["1]", "2]"]),
        ]
    )
    func backslashEscapes(text: String, expected: [String]) throws {
        #expect(Array(try URLPattern(text)) == expected)
    }

    @Test("A pattern may follow an IPv6 address in brackets")
    func patternMayFollowAnAddress() throws {
        let urls = Array(try URLPattern("http://[::1]:{80..81}/[1-2]"))
        #expect(
            urls == [
                "http://[::1]:80/1", "http://[::1]:80/2", "http://[::1]:81/1", "http://[::1]:81/2",
            ]
        )
    }

    @Test(
        "A range has plain numbers or letters of one case; anything else is an error",
        arguments: [
            "{-1..3}", "{+1..3}", "{1..}", "{..}", "{..3}", "{1..2..}", "{1..2..3..4}", "{1...3}",
            "{1.0..2.0}", "{٣..٥}", "{é..z}", "{aa..b}", "{a..Z}", "{a..e..26}", "{a..e..0}",
            "{a..e..b}", "{1..5..-1}", "{ 1..3}", "{0x1..0x3}",
        ]
    )
    func otherValuesAreNoRange(text: String) {
        let found = failure("http://h/\(text)")
        #expect(found?.code == .invalidLine)
        #expect(
            found?.message
                == "“http://h/\(text)” has \(text), which is not a range: write {1..9} or {a,b}, "
                + "or \\{ for a brace"
        )
    }

    @Test("Steps near the largest number don't overflow")
    func stepsNearTheLargestNumberAreSafe() throws {
        let rising = try URLPattern("{18446744073709551610..18446744073709551615..2}")
        #expect(
            Array(rising)
                == ["18446744073709551610", "18446744073709551612", "18446744073709551614"]
        )
        let falling = try URLPattern("{18446744073709551615..0..18446744073709551615}")
        #expect(Array(falling) == ["18446744073709551615", "0"])
        var iterator = try URLPattern("{0..18446744073709551615..100000}").makeIterator()
        #expect(iterator.next() == "0" && iterator.next() == "100000")
    }

    @Test(
        "A number above 2⁶⁴ - 1 is an error that names the largest number",
        arguments: [
            "{1..10000000000000000000000000000000000000000}", "{18446744073709551616..1}",
            "{1..5..18446744073709551616}", "[1-18446744073709551616]",
            "[1-2:18446744073709551616]",
        ]
    )
    func tooLargeNumberIsNamed(text: String) {
        let range = text.dropFirst().dropLast()
        let shown = range.count > 40 ? range.prefix(40) + "…" : range
        #expect(
            failure("http://h/\(text)")?.message
                == "“http://h/\(text)” has \(text.prefix(1))\(shown)"
                + "\(text.suffix(1)), whose numbers are too large: the largest is "
                + "18446744073709551615"
        )
    }

    @Test(
        "A pattern that stands for more than 2⁴⁸ URLs is an error that names the limit",
        arguments: [
            "{0..18446744073709551615}", "{1..281474976710657}", "[1-281474976710657]",
            String(repeating: "{1..10000000000}", count: 4), "{1..16777216}{1..16777216}{a,b}",
        ]
    )
    func tooManyURLsAreRefused(text: String) {
        let found = failure("http://h/\(text)")
        #expect(found?.code == .invalidLine)
        #expect(
            found?.message == "“http://h/\(text)” stands for more than 281,474,976,710,656 URLs, "
                + "the limit: use smaller ranges"
        )
    }

    @Test("A pattern may stand for 2⁴⁸ URLs")
    func limitIsInclusive() throws {
        #expect(try URLPattern("{1..16777216}{1..16777216}").makeIterator().first == "11")
        #expect(try URLPattern("{1..281474976710656}").makeIterator().first == "1")
    }

    @Test("Each kind of malformed pattern has its own message, with the escape to use")
    func malformedPartHasItsMessage() {
        #expect(
            failure("http://h/{1..3")?.message
                == "“http://h/{1..3” has a { without a }: close it, or write \\{"
        )
        #expect(
            failure("{a,{b,c}}")?.message == "“{a,{b,c}}” has nested braces, which aren't "
                + "supported: write all words in one pair"
        )
        #expect(
            failure("x[9-a]")?.message == "“x[9-a]” has [9-a], which is not a range: write [1-9], "
                + "[1-9:2] or [a-z], or \\[ for a bracket"
        )
        // The first error is reported, although correct parts precede it.
        #expect(failure("{1..2}{x}{")?.message.contains("has {x}") == true)
        let long = String(repeating: "x", count: 41)
        let shortened = "has {\(long.dropLast())…}, which is not a range"
        #expect(failure("{\(long)}")?.message.contains(shortened) == true)
    }

    @Test("The error of a pattern is short, and contains no password and no query")
    func messageHasNoSecrets() throws {
        let secret = try #require(failure("https://user:secret@h/a?key=secret&x={1..")?.message)
        #expect(!secret.contains("secret") && !secret.contains("user"))
        #expect(secret.hasPrefix("“https://…@h/a…” has a {"))
        for url in [
            "https://h/?k={secret}", "https://u:{secret}@h/", "https://h/#{secret}",
            "http://u:pa/secret{x}@h/", "http://u:pa?secret{x}@h/", "u:secret{x}@h/a",
        ] {
            let message = try #require(failure(url)?.message)
            #expect(!message.contains("secret") && message.contains("which is not a range"))
        }
        let long = String(repeating: "x", count: 10_000)
        let message = try #require(failure("http://h/\(long)/{\(long)}")?.message)
        #expect(message.utf8.count < 500)
        #expect(message.contains("{\(String(repeating: "x", count: 40))…}"))
    }
}
