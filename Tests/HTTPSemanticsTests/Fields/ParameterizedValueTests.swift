import HTTPSemantics
import Testing

/// Field values with parameters, and lists of them.
@Suite struct ParameterizedValueTests {
    private func parameters(_ text: String) -> [String] {
        ParameterizedValue(text).parameters.map { "\($0.name)=\($0.value)" }
    }

    /// The examples of RFC 9110, 8.3.1 and 8.3.2.
    @Test(
        "Equivalent spellings of a media type have the same parameter",
        arguments: [
            "text/html;charset=utf-8", "Text/HTML;Charset=\"utf-8\"",
            "text/html; charset=\"utf-8\"", "text/html;charset= utf-8 ",
            " text/html ;charset=utf-8",
            "text/html; charset=\"ut\\f-8\"", "text/html;;charset=utf-8;",
        ]
    )
    func equivalentMediaTypesHaveTheSameParameter(text: String) {
        let value = ParameterizedValue(text)
        #expect(value.value.lowercased() == "text/html")
        #expect(value["charset"] == "utf-8")
        #expect(value.parameters.count == 1)
        #expect(value["Charset"] == nil, "names are lowercase")
    }

    @Test(
        "Malformed parameters are skipped, and the others keep their order",
        arguments: [
            ("", []), (";", []), ("a", []), ("a;b", []), ("a;=c", []), ("a; =c;d=e", ["d=e"]),
            ("a;b;c=d", ["c=d"]), ("a;b=", ["b="]), ("a;b=;c=d", ["b=", "c=d"]),
            ("a;B=c;b=d", ["b=c", "b=d"]), ("a;b=c=d", ["b=c=d"]), ("a; b = c ", ["b=c"]),
            ("a;b=\"c\" rest;d=e", ["b=c", "d=e"]), ("a;b=c \"d;e\"", ["b=c \"d"]),
        ] as [(String, [String])]
    )
    func malformedParametersAreSkipped(text: String, expected: [String]) {
        #expect(parameters(text) == expected)
    }

    @Test(
        "A quoted string contains separators and escapes",
        arguments: [
            ("a;b=\"\"", ["b="]), ("a;b=\"c;d=e,f\";g=h", ["b=c;d=e,f", "g=h"]),
            ("a;b=\"\\\"\\\\\"", ["b=\"\\"]), ("a;b=\"c", ["b=c"]), ("a;b=\"c\\", ["b=c"]),
            ("a;b=\"c;d", ["b=c;d"]), ("a;b=\"\\é\"", ["b=é"]), ("a;b=\t\"c\"", ["b=c"]),
        ] as [(String, [String])]
    )
    func quotedStringContainsSeparators(text: String, expected: [String]) {
        #expect(parameters(text) == expected)
    }

    @Test("If a parameter is repeated, the first value is used")
    func firstOfEqualParametersCounts() {
        let value = ParameterizedValue("a;q=1;Q=2")
        #expect(value["q"] == "1")
        #expect(
            value.parameters == [
                HeaderLine(name: "q", value: "1"), HeaderLine(name: "q", value: "2"),
            ]
        )
        #expect(ParameterizedValue("a;q=1") != value)
    }

    /// The examples of RFC 9110, 5.6.1.2, and lists with quoted commas.
    @Test(
        "Empty members of a list are skipped, and quoted commas don't separate members",
        arguments: [
            ("foo,bar", ["foo", "bar"]), ("foo ,bar,", ["foo", "bar"]),
            ("foo , ,bar,charlie", ["foo", "bar", "charlie"]), ("", []), (",", []),
            (",   ,", []), ("\"a, b\", c", ["\"a, b\"", "c"]),
            ("\"a\\\", b\", c", ["\"a\\\", b\"", "c"]),
            ("\"a, b", ["\"a, b"]), ("a\\,b", ["a\\", "b"]),
        ] as [(String, [String])]
    )
    func listHasItsNonemptyMembers(text: String, expected: [String]) {
        #expect(ParameterizedValue.list(text).map(\.value) == expected)
    }

    @Test("The members of a list have their own parameters")
    func membersHaveTheirOwnParameters() {
        let members = ParameterizedValue.list("gzip;q=1.0, identity; q=0.5, *;q=0, x;y=\"1,2;3\"")
        #expect(members.map(\.value) == ["gzip", "identity", "*", "x"])
        #expect(members.map { $0["q"] } == ["1.0", "0.5", "0", nil])
        #expect(members.last?["y"] == "1,2;3")
    }

    @Test("A scanner consumes only what it returns")
    func scannerConsumesWhatItReturns() {
        var scanner = FieldScanner(" \tab=c;\"d\"x,\"e,f\",g".utf8)
        #expect(scanner.skip("a") == false)
        #expect(scanner.quotedString() == nil)
        scanner.skipWhitespace()
        #expect(scanner.text(upTo: "=", or: ";") == "ab")
        #expect(scanner.text(upTo: "=") == "", "the end isn't consumed")
        for next: Unicode.Scalar in ["=", "c", ";"] {
            #expect(scanner.skip(next) == true)
        }
        #expect(scanner.quotedString() == "d")
        #expect(scanner.listMember() == "x")
        #expect(scanner.skip(",") == true)
        #expect(scanner.listMember() == "\"e,f\"")
        #expect(scanner.skip(",") == true)
        #expect(scanner.text(upTo: "=") == "g")
        #expect(scanner.listMember() == "")
        #expect(scanner.skip("g") == false)
        #expect(scanner.quotedString() == nil)
    }
    @Test(
        "A token ends before the first byte that isn't part of one",
        arguments: [
            ("h3-29=x", "h3-29", "="), ("!#$%&'*+-.^_`|~9\"", "!#$%&'*+-.^_`|~9", "\""),
            ("a/b", "a", "/"), ("a", "a", nil), ("", nil, nil), (" a", nil, " "), ("é", nil, nil),
        ] as [(String, String?, Unicode.Scalar?)]
    )
    func tokenEndsBeforeOtherBytes(text: String, token: String?, next: Unicode.Scalar?) {
        var scanner = FieldScanner(text.utf8)
        #expect(scanner.token() == token)
        if let next { #expect(scanner.skip(next) == true) }
    }

    @Test(
        "A quoted string that must be terminated is nil without its closing quote",
        arguments: [
            ("\"a\"b", "a"), ("\"\"", ""), ("\"a\\\"b\"", "a\"b"), ("\"a", nil),
            ("\"a\\\"", nil), ("\"a\\", nil), ("a\"b\"", nil), ("", nil),
        ] as [(String, String?)]
    )
    func unterminatedStringIsNil(text: String, content: String?) {
        var scanner = FieldScanner(text.utf8)
        #expect(scanner.terminatedQuotedString() == content)
    }
}
