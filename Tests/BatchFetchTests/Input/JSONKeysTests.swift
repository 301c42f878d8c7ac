import Testing

@testable import BatchFetch

/// Finds keys that occur twice in one object of a JSON text.
@Suite struct JSONKeysTests {
    @Test(
        "A key that an object has twice is found at any depth, however it is escaped",
        arguments: [
            (#"{"a":1,"a":1}"#, "a"), (#"{"a":{"b":1,"c":[],"b":2}}"#, "b"),
            (#"[{"a":1},{"a":1,"b":"a","a":2}]"#, "a"), (#"{"a\n":1,"a\u000a":2}"#, "a\n"),
            (#"{"":1,"":2}"#, ""), (#"{"a\"":1,"b":"}","a\"":2}"#, "a\""),
            (#"{"a":{"a":1},"b":2,"a":3}"#, "a"), (#"{"b":["x",{"y":1}],"b":2}"#, "b"),
        ]
    )
    func repeatedKeyIsFound(text: String, key: String) {
        #expect(JSONKeys.repeated(in: text) == key)
    }

    @Test(
        "Equal keys of different objects, and equal values, aren't repeated keys",
        arguments: [
            #"{"a":{"a":{"a":"a"}}}"#, #"[{"a":1},{"a":1}]"#, #"{"a":["a","a"],"b":"a"}"#,
            #"{"a":"{\"a\":1,\"a\":2}"}"#, "{}", "[]", "1", #""a""#, "", #"{"a":"\\","b":1}"#,
        ]
    )
    func otherTextsHaveNone(text: String) {
        #expect(JSONKeys.repeated(in: text) == nil)
    }

    @Test(
        "A text that isn't JSON does no harm",
        arguments: ["{\"", "{\"a\\", "}]}", ",,\"", "{{\"a\""]
    )
    func malformedTextDoesNoHarm(text: String) {
        #expect(JSONKeys.repeated(in: text) == nil)
    }
}
