internal import CurlURLSession
internal import Foundation
internal import Testing

@testable internal import CurlNetworking

/// Which bodies may be empty, and what is made of them and of preprocessed ones.
@Suite struct EmptyBodyTests {
    private struct Refusal: Error {}

    /// A preprocessor that must not be called for empty bodies.
    private struct Reversing: DataPreprocessor {
        func preprocess(_ data: Data) throws -> Data {
            if data.first == UInt8(ascii: "!") { throw Refusal() }
            if data.isEmpty { Issue.record("an empty body is preprocessed") }
            return Data(data.dropFirst().reversed())
        }
    }

    private struct Settings: Decodable, EmptyResponse {
        var name: String
        static var emptyValue: Settings { Settings(name: "default") }
    }

    private func request(_ method: String) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: Responses.url)))
        request.httpMethod = method
        return request
    }

    @Test func unknownRequestAndResponseAllowNothing() throws {
        let rules = EmptyResponseRules()
        #expect(!rules.allow(nil, nil))
        #expect(rules.allow(try request("head"), nil))
        #expect(!rules.allow(try request("GET"), try Responses.http(200)))
        #expect(rules.allow(try request("GET"), try Responses.http(205)))
        let none = EmptyResponseRules(statusCodes: [], requestMethods: [])
        #expect(!none.allow(try request("HEAD"), try Responses.http(204)))
    }

    @Test func storedRulesAreRestored() throws {
        let rules = EmptyResponseRules(statusCodes: [200, 304], requestMethods: ["PUT"])
        let data = try JSONEncoder().encode(rules)
        #expect(try JSONDecoder().decode(EmptyResponseRules.self, from: data) == rules)
        #expect(rules != EmptyResponseRules(statusCodes: [200, 304]))
    }

    @Test func managersRequestAppliesUnlessAnotherOneIsGiven() throws {
        let serializer = DataResponseSerializer()
        let full = try Responses.http(200)
        let (head, get) = (try request("HEAD"), try request("GET"))
        CurrentRequest.$current.withValue(head) {
            let result = Serialized(serializer, full, "")
            #expect(result.object as? Data == Data() && result.error == nil)
            #expect(throws: NSError.self) {
                try serializer.value(for: get, response: full, data: nil)
            }
        }
        #expect(Serialized(serializer, full, "").object == nil)
    }

    @Test func allowedEmptyBodyIsTheTypesOwnEmptyValue() throws {
        let serializer = DecodableResponseSerializer<Settings>()
        let none = try Responses.http(204)
        #expect(try serializer.value(for: nil, response: none, data: nil).name == "default")
        let body = Data(#"{"name":"own"}"#.utf8)
        #expect(try serializer.value(for: nil, response: none, data: body).name == "own")
        #expect(throws: NSError.self) {
            try serializer.value(for: nil, response: try Responses.http(200), data: nil)
        }
    }

    @Test func preprocessorsResultIsDecodedAndItsErrorThrown() throws {
        let serializer = StringResponseSerializer()
        serializer.preprocessor = Reversing()
        let response = try Responses.http(200, type: "text/plain; charset=utf-8")
        func value(_ text: String) throws -> String {
            try serializer.value(for: nil, response: response, data: Data(text.utf8))
        }
        #expect(try value("-abc") == "cba")
        // An empty result isn't a missing body.
        #expect(try value("-") == "")
        #expect(throws: Refusal.self) { try value("!abc") }
        #expect(Serialized(serializer, response, "!abc").error is Refusal)
        #expect(Serialized(serializer, response, "").nsError?.code == -1014)
        let none = try Responses.http(204)
        #expect(try serializer.value(for: nil, response: none, data: Data()) == "")
    }

    @Test func copyHasItsOwnRulesAndPreprocessor() throws {
        let serializer = DataResponseSerializer()
        serializer.emptyResponseRules.statusCodes = [200]
        serializer.preprocessor = Reversing()
        let copy = serializer.copy()
        serializer.emptyResponseRules.statusCodes = []
        serializer.preprocessor = nil
        let response = try Responses.http(200)
        #expect(try copy.value(for: nil, response: response, data: nil) == Data())
        let body = try copy.value(for: nil, response: response, data: Data("-ab".utf8))
        #expect(body == Data("ba".utf8))
        #expect(Serialized(serializer, response, "").error != nil)
        #expect(Serialized(serializer, response, "-ab").object as? Data == Data("-ab".utf8))
    }

    @Test func onlyTheWholeScriptPrefixIsRemoved() {
        let preprocessor = XSSIPreprocessor()
        for (text, expected) in [
            (")]}',\n", ""), (")]}',\n)]}',\n1", ")]}',\n1"), (")]}'\n1", ")]}'\n1"),
            (")]}',\r\n1", ")]}',\r\n1"), (" )]}',\n1", " )]}',\n1"), ("", ""),
        ] {
            #expect(preprocessor.preprocess(Data(text.utf8)) == Data(expected.utf8))
        }
        // A slice's indices don't begin at 0.
        let slice = Data("x)]}',\n[1]".utf8).dropFirst()
        #expect(preprocessor.preprocess(slice) == Data("[1]".utf8))
    }
}
