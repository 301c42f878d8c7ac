import TestSupport
import Testing

@testable import BatchFetchCommand

/// The reader of settings files. Source: <https://toml.io/en/v1.0.0>.
@Suite struct SettingsReaderTests {
    typealias Value = SettingsReader.Value

    /// The keys and values of a text.
    private static func pairs(
        _ text: String
    ) throws(SettingsReader.Mistake) -> [(key: String, line: Int, value: Value)] {
        var reader = SettingsReader(text)
        var pairs: [(key: String, line: Int, value: Value)] = []
        while let pair = try reader.next() { pairs.append(pair) }
        return pairs
    }

    @Test(
        "Each kind of value is read",
        arguments: [
            (#""a # \"b\" \\ \t \u00e9 \U0001F600""#, .string("a # \"b\" \\ \t é 😀")),
            (#"'a \n "b"'"#, .string(#"a \n "b""#)),
            (
                "\"\"\"\none\r\ntwo \\\n   \n  three \"\"quoted\"\"\"\"",
                .string("one\ntwo three \"\"quoted\"")
            ),
            ("'''\none\n''two''\n'''", .string("one\n''two''\n")),
            ("\"\"\"\"\"\"", .string("")), ("''", .string("")),
            ("1_000", .integer(1000)), ("-0", .integer(0)), ("+7", .integer(7)),
            ("0xDEAD_beef", .integer(0xdead_beef)), ("0o17", .integer(15)), ("0b1_01", .integer(5)),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("2.5", .number(2.5)), ("1e3", .number(1000)), ("-6.5E-1_0", .number(-6.5e-10)),
            ("inf", .number(.infinity)), ("-inf", .number(-.infinity)),
            ("true", .boolean(true)), ("false", .boolean(false)), ("[]", .array([])),
            ("[ 1, \"a\",]", .array([.integer(1), .string("a")])),
            ("[ # one\n  'a', # two\n\n  'b'\n]", .array([.string("a"), .string("b")])),
        ] as [(String, Value)]
    )
    func valuesAreRead(text: String, expected: Value) throws {
        let pairs = try Self.pairs("key = \(text) # comment\r\nnext=1")
        #expect(pairs.map(\.key) == ["key", "next"])
        #expect(pairs.first?.value == expected)
        #expect(pairs.last?.line == 2 + text.filter(\.isNewline).count)
    }

    @Test("A key may be quoted, and a byte-order mark, blanks and comments don't matter")
    func keysAreRead() throws {
        let text =
            "\u{feff}# first\n\t bare-key_1 = 1\n\"a b\\u0021\" = 2\n\n'c\\d'=3\na . \"b\" = 4"
        let pairs = try Self.pairs(text)
        #expect(pairs.map(\.key) == ["bare-key_1", "a b!", "c\\d", "a.b"])
        #expect(pairs.map(\.line) == [2, 3, 5, 6])
        #expect(try Self.pairs("").isEmpty && Self.pairs("\n# only\r\n \t").isEmpty)
    }

    @Test(
        "A mistake is reported with its line",
        arguments: [
            ("a = 1\n[= 2", 2, "must begin with the name"), ("[", 1, "must begin with the name"),
            ("[[x]]", 1, "“x” is not a setting, but a table"), ("a", 1, "“=” must follow “a”"),
            ("a =", 1, "a value is missing"), ("a = 1 2", 1, "nothing may follow"),
            ("a = \"x", 1, "closing quotes"), ("a = \"x\n\"", 1, "on the same line"),
            ("a = '''\nx", 2, "closing quotes"), ("a = \"\"\"\"\"\"\"\"\"", 1, "too many quotes"),
            ("a = \"\\x\"", 1, "an escape is invalid"),
            ("a = \"\\ud800\"", 1, "names no character"),
            ("a = \"\\u12\"", 1, "names no character"),
            ("a = \"\\u+123\"", 1, "names no character"),
            ("a = \"\u{1}\"", 1, "a control character"), ("a = \"\\u0000\u{301}\"", 1, "a NUL"),
            ("\"a\\U00000000\" = 1", 1, "a NUL"), ("a = [1 2]", 1, "a comma or “]”"),
            ("a = [\n1,\n[", 3, "an array in an array"), ("a = [1,", 1, "a value is missing"),
            ("a = 1979-05-27T/7:32:00Z", 1, "is no number"), ("a = 012", 1, "is no number"),
            ("a = 1__0", 1, "is no number"), ("a = 9223372036854775808", 1, "is no number"),
            ("a = {b = 1}", 1, "is no number"), ("a = yes", 1, "write text in quotes"),
            ("ä = 1", 1, "must begin with the name"), ("a = 1\rb = 2", 1, "nothing may follow"),
        ]
    )
    func mistakesAreReported(text: String, line: Int, reason: String) {
        let mistake = #expect(throws: SettingsReader.Mistake.self) { try Self.pairs(text) }
        #expect(mistake?.line == line)
        #expect(mistake?.reason.contains(reason) == true, "\(mistake?.reason ?? "")")
    }

    @Test("Python's reader of TOML reads the same")
    func pythonReadsTheSame() throws {
        let documents = [
            #"a = "x\ty" # z"#, "a = 'x'\nb = '''y\n'z'\n'''", "a=\"\"\"\\\n  x \\\n\n  y\"\"\"",
            "a = [1, -2, 0x1F, 0o7, 0b1]", "a = [1.5, -1e-3, 6.02E+23, inf, -inf, +inf]",
            "a = 1_000\nb = true\nc = false", "a = [\n  'x', # one\n  \"y\",\n]\n",
            "\"q k\" = 1\n'l' = 2", "a = \"\"\"\"x\"\"\"\"\"", "a = \"\\U0001F600\\u00e9\"",
            "a = 0\nb = -0\nc = +0\nd = 0.0\ne = -0.0", "a = \"\\b\\f\\r\\n\\\"\\\\\"",
            // Invalid ones.
            "a = 01", "a = 1.", "a = .5", "a = 1_", "a = _1", "a = 0X1", "a = +0x1", "a = 1e",
            "a = tru", "a = \"\\q\"", "a = 'x\ny'", "a = [1,, 2]", "a = [,]", "a b = 1", "= 1",
            "a = \"x\" \"y\"", "a = 1 = 2", "a = \"\\U00110000\"", "a = '''x''''''", "a = 1e1_",
        ]
        let program = """
            import struct, sys, tomllib
            def form(value):
                if isinstance(value, bool): return "b" + str(value).lower()
                if isinstance(value, int): return "i" + str(value)
                if isinstance(value, float): return "n" + struct.pack(">d", value).hex()
                if isinstance(value, str): return "s" + value.encode().hex()
                return "[" + ",".join(form(element) for element in value) + "]"
            for text in sys.argv[1:]:
                try:
                    table = tomllib.loads(text)
                    print(*(form(key) + "=" + form(value) for key, value in table.items()))
                except tomllib.TOMLDecodeError:
                    print("invalid")
            """
        let python = try #require(Executable.path("python3"))
        let expected = try ChildProcess.run([python, "-c", program] + documents)
        #expect(expected.status == 0, "\(expected.output)")
        let lines = expected.output.split(separator: "\n", omittingEmptySubsequences: false)
        try #require(lines.count >= documents.count)
        for (document, line) in zip(documents, lines) {
            let own = (try? Self.pairs(document)).map { pairs in
                pairs.map { Self.form(.string($0.key)) + "=" + Self.form($0.value) }
                    .joined(separator: " ")
            }
            #expect(own ?? "invalid" == line, "\(document)")
        }
    }

    private static func form(_ value: Value) -> String {
        switch value {
        case .boolean(let isOn): return "b\(isOn)"
        case .integer(let number): return "i\(number)"
        case .number(let number):
            let digits = String(number.bitPattern, radix: 16)
            return "n" + String(repeating: "0", count: 16 - digits.count) + digits
        case .string(let text): return "s" + text.utf8.map(hexadecimal).joined()
        case .array(let elements): return "[" + elements.map(form).joined(separator: ",") + "]"
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
