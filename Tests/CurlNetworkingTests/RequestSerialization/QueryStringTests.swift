internal import CurlNetworking
internal import Foundation
internal import Testing

@Suite struct QueryStringTests {
    @Test(
        "R-01: All characters but letters, digits and -._~/? are escaped",
        arguments: UInt8.min...UInt8.max
    )
    func reservedCharactersAreEscaped(_ byte: UInt8) {
        let scalar = Unicode.Scalar(byte)
        let kept = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/?"
        let escaped = percentEscapedString(from: String(scalar))
        if kept.unicodeScalars.contains(scalar) {
            #expect(escaped == String(scalar))
        } else {
            let bytes = String(scalar).utf8.map { String(format: "%%%02X", Int($0)) }
            #expect(escaped == bytes.joined())
        }
    }

    @Test(
        "R-01, R-02, C-23: Strings are escaped as UTF-8, including existing percent signs",
        arguments: [
            ("", ""), ("a b", "a%20b"), ("a+b", "a%2Bb"), ("100%25", "100%2525"),
            ("ä", "%C3%A4"), ("👨‍👩‍👧", "%F0%9F%91%A8%E2%80%8D%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7"),
        ]
    )
    func textIsEscapedAsUTF8(_ text: String, _ expected: String) {
        #expect(percentEscapedString(from: text) == expected)
        let many = String(repeating: text, count: 120)
        #expect(percentEscapedString(from: many) == String(repeating: expected, count: 120))
    }

    @Test("R-03: Every kind of value has a string representation")
    func everyValueHasItsStringForm() throws {
        let identifier = try #require(UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF"))
        let url = try #require(URL(string: "http://h/a"))
        let values: [(Any, String)] = [
            (true, "1"), (false, "0"), (5, "5"), (UInt8(7), "7"),
            (Int64.min, "-9223372036854775808"), (1.0, "1"), (1.5, "1.5"), (0.1, "0.1"),
            (1e20, "1e%2B20"), (Float(0.25), "0.25"),
            (Float(2), "2"), (NSNumber(value: true), "1"), (NSNumber(value: false), "0"),
            (NSNumber(value: 1), "1"), (NSNumber(value: 1.0), "1"), (NSNumber(value: 1.5), "1.5"),
            (NSString("x y"), "x%20y"), (Substring("ab"), "ab"), (Decimal(15) / 10, "1.5"),
            (Date(timeIntervalSinceReferenceDate: 0), "2001-01-01%2000%3A00%3A00%20%2B0000"),
            (url, "http%3A//h/a"), (NSURL(string: "http://h/a") as Any, "http%3A//h/a"),
            (identifier, "01234567-89AB-CDEF-0123-456789ABCDEF"),
            (Data([0xff, 0xfe]), "//4%3D"), (NSData(data: Data([0])), "AA%3D%3D"),
            (Optional("some") as Any, "some"),
        ]
        for (value, text) in values {
            #expect(try queryString(from: ["k": value]) == "k=" + text)
        }
    }

    @Test("R-04: A nil or null value is a key without `=`, and an empty string isn't")
    func nilIsAKeyWithoutValue() throws {
        #expect(try queryString(from: ["k": NSNull()]) == "k")
        #expect(try queryString(from: ["k": String?.none] as [String: String?]) == "k")
        #expect(try queryString(from: ["k": String??.some(nil) as Any]) == "k")
        #expect(try queryString(from: ["k": ""]) == "k=")
    }

    @Test("R-05: Keys are sorted case-sensitively, and inner keys are in brackets")
    func keysAreSorted() throws {
        #expect(try queryString(from: ["a": 1, "B": 2, "b": 3, "A": 4]) == "A=4&B=2&a=1&b=3")
        let nested: [String: Any] = ["user": ["name": "x", "home": ["zip": 1]], "a": 0]
        #expect(
            try queryString(from: nested) == "a=0&user%5Bhome%5D%5Bzip%5D=1&user%5Bname%5D=x"
        )
        #expect(try queryString(from: [10: "x", 9: "y"]) == "10=x&9=y")
        #expect(try queryString(from: NSDictionary(dictionary: ["k": "v"])) == "k=v")
    }

    @Test("R-06: Array elements have brackets and keep their order")
    func elementsOfArraysHaveBrackets() throws {
        #expect(try queryString(from: ["a": ["z", "y"]]) == "a%5B%5D=z&a%5B%5D=y")
        #expect(try queryString(from: ["a": NSArray(array: [2, 1])]) == "a%5B%5D=2&a%5B%5D=1")
        #expect(
            try queryString(from: ["a": [["x": 1, "y": 2], ["x": 3]]])
                == "a%5B%5D%5Bx%5D=1&a%5B%5D%5By%5D=2&a%5B%5D%5Bx%5D=3"
        )
        #expect(try queryString(from: ["a": [[1], [2]]]) == "a%5B%5D%5B%5D=1&a%5B%5D%5B%5D=2")
    }

    @Test("R-06, A-08: The array style determines the keys of array elements")
    func arrayStyleNamesElements() throws {
        let parameters: [String: Any] = ["a": [1, [2]] as [Any]]
        let query = { try queryString(from: parameters, arrayEncoding: $0) }
        #expect(try query(.brackets) == "a%5B%5D=1&a%5B%5D%5B%5D=2")
        #expect(try query(.noBrackets) == "a=1&a=2")
        #expect(try query(.indexInBrackets) == "a%5B0%5D=1&a%5B1%5D%5B0%5D=2")
        #expect(try query(.custom { "\($0).\($1)" }) == "a.0=1&a.1.0=2")
    }

    @Test("A-08: The Boolean style determines how Boolean values are written")
    func booleanStyleFormatsBooleans() throws {
        let parameters: [String: Any] = ["a": true, "b": NSNumber(value: false), "c": 1]
        #expect(try queryString(from: parameters) == "a=1&b=0&c=1")
        #expect(
            try queryString(from: parameters, boolEncoding: .literal) == "a=true&b=false&c=1"
        )
    }

    @Test("R-07: Members of a set are sorted by their descriptions and have the same key")
    func membersOfASetHaveTheSameKey() throws {
        #expect(try queryString(from: ["s": Set([2, 10, 1])]) == "s=1&s=10&s=2")
        #expect(try queryString(from: ["s": NSSet(array: ["b", "a"])]) == "s=a&s=b")
    }

    @Test("R-08: Empty collections are omitted")
    func emptyCollectionsAreOmitted() throws {
        #expect(try queryString(from: [String: Any]()) == "")
        let parameters: [String: Any] = ["a": [Int](), "b": [String: Int](), "c": Set<Int>()]
        #expect(try queryString(from: parameters) == "")
    }

    @Test("R-09: A single value has no key, and an array without a key is an error")
    func oneValueGetsNoName() throws {
        #expect(try queryString(from: "a b") == "=a%20b")
        #expect(try queryString(from: 5) == "=5")
        #expect(try queryString(from: NSNull()) == "")
        for parameters in [[1] as Any, Set([1])] {
            let error = #expect(throws: NSError.self) { try queryString(from: parameters) }
            #expect(error?.domain == URLRequestSerializationErrorDomain)
            #expect(error?.code == -1016)
        }
    }

    @Test("R-10: Pairs are joined by ampersands")
    func pairsAreJoinedByAmpersands() throws {
        let parameters: [String: Any] = [
            "key": "value", "key1": "value&", "foo": ["bar": "baz"], "n": NSNull(),
        ]
        #expect(
            try queryString(from: parameters) == "foo%5Bbar%5D=baz&key=value&key1=value%26&n"
        )
    }

    @Test("R-10, C-23: The pairs of a query are public, in order and not escaped")
    func pairsOfAQueryArePublic() throws {
        let parameters: [String: Any] = [
            "b": ["x y", Data("z".utf8)] as [Any], "a": ["c": true], "n": NSNull(),
        ]
        let pairs = try queryStringPairs(from: parameters)
        #expect(pairs.map(\.name) == ["a[c]", "b[]", "b[]", "n"])
        #expect(pairs.map(\.value) == [.text("1"), .text("x y"), .data(Data("z".utf8)), .none])
        let joined = pairs.map(\.escaped).joined(separator: "&")
        #expect(try queryString(from: parameters) == joined)
        let literal = try queryStringPairs(
            from: ["a": [true]],
            arrayEncoding: .noBrackets,
            boolEncoding: .literal
        )
        #expect(literal.map(\.escaped) == ["a=true"])
        #expect(throws: NSError.self) { try queryStringPairs(from: [1]) }
    }
}
