import Testing

@testable import BatchFetch

/// Messages about errors in a line of JSON.
@Suite struct JSONProblemTests {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    private func context(_ path: String...) -> DecodingError.Context {
        DecodingError.Context(
            codingPath: path.map { Key(stringValue: $0) },
            debugDescription: "an internal text"
        )
    }

    private func message(_ error: DecodingError) -> String { JSONProblem(error).message }

    @Test("The error of a value of the wrong kind has its key and the right kind")
    func wrongKindHasKeyAndRightKind() {
        for (type, name) in [
            (String.self, "a string"), (Int.self, "a whole number"), (Double.self, "a number"),
            ([String].self, "a list of texts"), ([String: Any].self, "an object of texts"),
            (Bool.self, "true or false"),
            (Set<String>.self, "the type that the documentation names"),
        ] as [(any Any.Type, String)] {
            #expect(
                message(.typeMismatch(type, context("size")))
                    == "“size” has a value of the wrong kind: use \(name)"
            )
            #expect(
                message(.valueNotFound(type, context("size")))
                    == "“size” is null: use \(name), or remove it"
            )
        }
    }

    @Test("The error of a nested value has the outermost key, which the user can find")
    func nestedValueHasTheOutermostKey() {
        #expect(message(.typeMismatch(String.self, context("a", "b"))).hasPrefix("“a” "))
        #expect(message(.valueNotFound(String.self, context("a", "b"))).hasPrefix("“a” "))
        #expect(message(.dataCorrupted(context("a", "b"))) == "“a” has an invalid value")
    }

    @Test("The error of a missing key has its name, not the object's")
    func missingKeyHasItsName() {
        let key = Key(stringValue: "url")
        #expect(message(.keyNotFound(key, context("a"))) == "“url” is missing")
    }

    @Test("The error of a line that isn't a JSON object shows an example")
    func otherLineHasAnExample() {
        let text = message(.typeMismatch([String: Any].self, context()))
        #expect(text == "it is not a JSON object: write {\"url\": \"https://…\"}")
        #expect(message(.valueNotFound(String.self, context())).hasPrefix("“the value” is null"))
    }

    @Test("An error's message never contains the decoder's internal text")
    func messageHasNoInternalText() {
        for error in [
            .typeMismatch(Int.self, context("a")), .valueNotFound(Int.self, context("a")),
            .keyNotFound(Key(stringValue: "b"), context("a")), .dataCorrupted(context("a")),
        ] as [DecodingError] {
            #expect(!message(error).contains("internal"))
        }
    }

    @Test(
        "The error of a request's malformed value has the key's name",
        arguments: [
            (#"{"url":"x","headers":5}"#, "“headers” has a value of the wrong kind"),
            (#"{"url":"x","headers":["A"]}"#, "“headers” has a value of the wrong kind"),
            (#"{"url":"x","headers":{"A":["b",5]}}"#, "“headers” has a value of the wrong kind"),
            (#"{"url":"x","headers":{"A":null}}"#, "“headers” is null"),
            (#"{"url":"x","priority":"1"}"#, "“priority” has a value of the wrong kind: use a who"),
            (
                #"{"url":"x","priority":true}"#,
                "“priority” has a value of the wrong kind: use a who"
            ),
            (#"{"url":"x","priority":1.5}"#, "or one of its numbers doesn't fit"),
            (#"{"url":"x","timeout":1e999}"#, "or one of its numbers doesn't fit"),
            (#"{"url":"x","tag":true}"#, "“tag” has a value of the wrong kind: use a string"),
            (#"{"url":null}"#, "“url” is missing"), ("5", "write {\"url\": \"https://…\"}"),
        ]
    )
    func malformedValueHasItsKey(line: String, beginning: String) {
        let failure = #expect(throws: BatchFailure.self) { try JSONRequest.request(in: line) }
        #expect(failure?.code == .invalidLine)
        #expect(failure?.message.contains(beginning) == true, "\(failure?.message ?? "")")
    }
}
