internal import CurlNetworking
internal import Foundation
internal import Testing

/// Rare values in a form: missing ones of each type, repeated keys, errors, and words in keys.
@Suite struct FormDetailTests {
    private struct Refusal: Error {}

    private func query(
        _ value: some Encodable,
        _ change: (inout URLEncodedFormEncoder) -> Void = { _ in }
    ) throws -> String {
        var encoder = URLEncodedFormEncoder()
        change(&encoder)
        return try encoder.encode(value).removingPercentEncoding ?? ""
    }

    private struct Missing: Encodable {
        var bool: Bool?, text: String?, double: Double?, float: Float?, int: Int?
        var int8: Int8?, int16: Int16?, int32: Int32?, int64: Int64?
        var uint: UInt?, uint8: UInt8?, uint16: UInt16?, uint32: UInt32?, uint64: UInt64?
        var date: Date?, data: Data?, list: [Int]?, map: [String: Int]?
    }

    @Test func missingValueOfEachTypeIsWrittenAsRequested() throws {
        let text = try query(Missing()) { $0.nilEncoding = .null }
        let names = Mirror(reflecting: Missing()).children.compactMap(\.label).sorted()
        #expect(text.split(separator: "&").map(String.init) == names.map { $0 + "=null" })
        #expect(names.count == 18)
        #expect(try query(Missing()) == "")
        #expect(try query(Missing()) { $0.nilEncoding = .custom { nil } } == "")
    }

    private struct Repeated: Encodable {
        private enum Keys: CodingKey { case one, two }

        func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: Keys.self)
            try values.encode([1, 2], forKey: .one)
            try values.encode("b", forKey: .two)
            try values.encode("a", forKey: .one)
        }
    }

    @Test func repeatedKeyHasItsLastValueAtItsFirstPosition() throws {
        #expect(try query(Repeated()) { $0.alphabetizesKeys = false } == "one=a&two=b")
    }

    private struct Failing: Encodable {
        func encode(to encoder: any Encoder) throws {
            let context = EncodingError.Context(
                codingPath: encoder.codingPath,
                debugDescription: ""
            )
            throw EncodingError.invalidValue(self, context)
        }
    }

    @Test func errorOfANestedValueHasItsPath() {
        let error = #expect(throws: EncodingError.self) {
            try query(["outer": ["inner": Failing()]])
        }
        guard case .invalidValue(_, let context) = error else { return }
        #expect(context.codingPath.map(\.stringValue) == ["outer", "inner"])
    }

    @Test func errorOfAStylesClosureIsThrown() {
        #expect(throws: Refusal.self) {
            try query(["d": Data()]) { $0.dataEncoding = .custom { _ in throw Refusal() } }
        }
        #expect(throws: Refusal.self) {
            try query(["d": [Date()]]) { $0.dateEncoding = .custom { _ in throw Refusal() } }
        }
    }

    @Test func valueWithoutKeysIsRefused() throws {
        let missing: [String: Int]? = nil
        for value in [missing as any Encodable, Data(), Date(), [1.5: "x"]] {
            let error = #expect(throws: NSError.self) { try query(value) }
            #expect(error?.localizedFailureReason?.contains("one value without a name") == true)
        }
        #expect(try query([10: "x", 9: "y"]) == "10=x&9=y")
    }

    @Test(arguments: [
        ("URLName", ["url", "name"]), ("iPhone", ["i", "phone"]), ("A", ["a"]), ("", []),
        ("ABC", ["abc"]), ("already_split", ["already_split"]), ("id2Name", ["id2", "name"]),
        ("ÄpfelÖl", ["äpfel", "öl"]),
    ])
    func wordsOfAKeyAreSplit(key: String, words: [String]) throws {
        let snake = try query([key: 1]) { $0.keyEncoding = .convertToSnakeCase }
        #expect(snake == words.joined(separator: "_") + "=1")
        let kebab = try query([key: 1]) { $0.keyEncoding = .convertToKebabCase }
        #expect(kebab == words.joined(separator: "-") + "=1")
    }

    @Test func keysAreSortedAsTheyAreWritten() throws {
        let value = ["B": ["b": 1, "A": 2], "a": ["x": 3]]
        #expect(try query(value) == "B[A]=2&B[b]=1&a[x]=3")
        let lower = try query(value) { $0.keyEncoding = .lowercased }
        #expect(lower == "a[x]=3&b[a]=2&b[b]=1")
    }

    @Test func plusAndSpaceStayDistinguishable() throws {
        var encoder = URLEncodedFormEncoder()
        encoder.spaceEncoding = .plusReplaced
        #expect(try encoder.encode(["a b": "c+d %20"]) == "a+b=c%2Bd+%2520")
    }
}
