internal import CurlNetworking
internal import Foundation
internal import Testing

@Suite struct URLEncodedFormEncoderTests {
    private struct Inner: Encodable {
        var zip = 1
        var cityName = "x y"
    }

    private struct Outer: Encodable {
        var name = "n"
        var isOn = true
        var ratio = 1.0
        var half: Float = 0.5
        var inner = Inner()
        var tags = ["b", "a"]
        var none: String?
        var link = URL(string: "http://h/")
        var price = Decimal(15) / 10
    }

    private func query(
        _ value: some Encodable,
        _ change: (inout URLEncodedFormEncoder) -> Void = { _ in }
    ) throws -> String {
        var encoder = URLEncodedFormEncoder()
        change(&encoder)
        return try encoder.encode(value).removingPercentEncoding ?? ""
    }

    @Test("A-10: A structure is encoded as a query, sorted by its keys")
    func aStructureIsAQuery() throws {
        #expect(
            try query(Outer())
                == "half=0.5&inner[cityName]=x y&inner[zip]=1&isOn=1&link=http://h/&name=n"
                + "&price=1.5&ratio=1&tags[]=b&tags[]=a"
        )
        #expect(try URLEncodedFormEncoder().encode(["k": "a b&"]) == "k=a%20b%26")
    }

    @Test("A-10: Without sorting, keys are in encoding order")
    func withoutSortingKeysAreInOrder() throws {
        #expect(try query(Inner()) { $0.alphabetizesKeys = false } == "zip=1&cityName=x y")
    }

    @Test("A-10, A-08: Arrays and Boolean values have styles")
    func arraysAndTruthValuesHaveStyles() throws {
        let value = ["a": [true, false]]
        #expect(try query(value) == "a[]=1&a[]=0")
        #expect(try query(value) { $0.arrayEncoding = .noBrackets } == "a=1&a=0")
        #expect(try query(value) { $0.arrayEncoding = .indexInBrackets } == "a[0]=1&a[1]=0")
        #expect(try query(value) { $0.arrayEncoding = .custom { "\($0)-\($1)" } } == "a-0=1&a-1=0")
        #expect(try query(value) { $0.boolEncoding = .literal } == "a[]=true&a[]=false")
        #expect(try query(["a": [[1], [2]]]) == "a[][]=1&a[][]=2")
    }

    @Test("A-10: Data and dates have styles")
    func dataAndDatesHaveStyles() throws {
        let data = ["d": Data([255, 1])]
        #expect(try query(data) == "d=/wE=")
        #expect(try query(data) { $0.dataEncoding = .deferredToData } == "d[]=255&d[]=1")
        #expect(try query(data) { $0.dataEncoding = .custom { "\($0.count)" } } == "d=2")
        let date = ["d": Date(timeIntervalSinceReferenceDate: 0)]
        #expect(try query(date) == "d=0")
        #expect(try query(date) { $0.dateEncoding = .secondsSince1970 } == "d=978307200")
        #expect(try query(date) { $0.dateEncoding = .millisecondsSince1970 } == "d=978307200000")
        #expect(try query(date) { $0.dateEncoding = .iso8601 } == "d=2001-01-01T00:00:00Z")
        #expect(try query(date) { $0.dateEncoding = .custom { _ in "x" } } == "d=x")
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy"
        #expect(try query(date) { $0.dateEncoding = .formatted(formatter) } == "d=2001")
    }

    @Test("A-10: Keys and key paths have styles")
    func keysHaveStyles() throws {
        func key(_ key: String, _ style: URLEncodedFormEncoder.KeyEncoding) throws -> String {
            try query([key: 1]) { $0.keyEncoding = style }
        }
        #expect(try key("oneTwoURL", .convertToSnakeCase) == "one_two_url=1")
        #expect(try key("myURLName2Go", .convertToSnakeCase) == "my_url_name2_go=1")
        #expect(try key("oneTwo", .convertToKebabCase) == "one-two=1")
        #expect(try key("oneTwo", .capitalized) == "OneTwo=1")
        #expect(try key("oneTwo", .uppercased) == "ONETWO=1")
        #expect(try key("oneTwo", .lowercased) == "onetwo=1")
        #expect(try key("oneTwo", .custom { $0 + "!" }) == "oneTwo!=1")
        let nested = ["a": ["b": ["c": 1]]]
        #expect(try query(nested) == "a[b][c]=1")
        #expect(try query(nested) { $0.keyPathEncoding = .dots } == "a.b.c=1")
        #expect(try query(nested) { $0.keyPathEncoding = .custom { "\($0)/\($1)" } } == "a/b/c=1")
    }

    @Test("A-10: Nil and spaces have styles")
    func nilAndSpacesHaveStyles() throws {
        struct Value: Encodable {
            var none: Int?
            var text = "a b+c"
        }
        #expect(try query(Value()) == "text=a b+c")
        #expect(try query(Value()) { $0.nilEncoding = .dropValue } == "none=&text=a b+c")
        #expect(try query(Value()) { $0.nilEncoding = .null } == "none=null&text=a b+c")
        #expect(try query(Value()) { $0.nilEncoding = .custom { "0" } } == "none=0&text=a b+c")
        #expect(try query(["a": [1, nil]]) { $0.nilEncoding = .null } == "a[]=1&a[]=null")
        var encoder = URLEncodedFormEncoder()
        #expect(try encoder.encode(Value()) == "text=a%20b%2Bc")
        encoder.spaceEncoding = .plusReplaced
        #expect(try encoder.encode(Value()) == "text=a+b%2Bc")
    }

    private class Base: Encodable {
        private enum Keys: CodingKey { case base }
        func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: Keys.self)
            try values.encode(1, forKey: .base)
        }
    }

    private final class Derived: Base {
        private enum Keys: CodingKey { case list, own, inner }
        override func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: Keys.self)
            try super.encode(to: values.superEncoder())
            try super.encode(to: values.superEncoder(forKey: .own))
            var list = values.nestedUnkeyedContainer(forKey: .list)
            try list.encode(1)
            var inner = list.nestedUnkeyedContainer()
            try inner.encode("x")
            try inner.encodeNil()
            var object = list.nestedContainer(keyedBy: Keys.self)
            try object.encode(2, forKey: .own)
            try super.encode(to: list.superEncoder())
            #expect(list.count == 4)
            var nested = values.nestedContainer(keyedBy: Keys.self, forKey: .inner)
            try nested.encodeNil(forKey: .own)
            try nested.encode(UInt8(3), forKey: .list)
        }
    }

    @Test("A-10: Values with custom encoding are encoded like others")
    func valuesThatEncodeThemselvesAreWritten() throws {
        #expect(
            try query(Derived()) { encoder in
                encoder.alphabetizesKeys = false
                encoder.nilEncoding = .dropValue
            }
                == "super[base]=1&own[base]=1&list[]=1&list[][]=x&list[][]=&list[][own]=2"
                + "&list[][base]=1&inner[own]=&inner[list]=3"
        )
    }

    @Test("A-10: A value without keys is an error, and an empty one an empty query")
    func aValueWithoutKeysIsAnError() throws {
        for value in [[1] as any Encodable, "text", 5] {
            let error = #expect(throws: NSError.self) { try URLEncodedFormEncoder().encode(value) }
            #expect(error?.domain == URLRequestSerializationErrorDomain && error?.code == -1016)
        }
        struct Nothing: Encodable {}
        #expect(try query(Nothing()) == "")
        #expect(try query([String: Int]()) == "")
    }

    @Test(
        "A-10: The encoder uses the serializer's styles unless the serializer has its own encoder"
    )
    func theSerializersStylesAreTheEncoders() throws {
        let serializer = HTTPRequestSerializer()
        serializer.arrayEncoding = .noBrackets
        serializer.boolEncoding = .literal
        func query(_ method: HTTPMethod) throws -> URLRequest {
            try serializer.request(
                withMethod: method,
                urlString: "http://h/",
                encoding: ["a": [true]]
            )
        }
        #expect(try query(.get).url?.query == "a=true")
        #expect(try query(.post).httpBody == Data("a=true".utf8))
        serializer.formEncoder = URLEncodedFormEncoder()
        #expect(try query(.get).url?.query == "a%5B%5D=1")
    }
}
