internal import CurlNetworking
internal import Foundation
internal import Testing

@Suite struct JSONResponseSerializerTests {
    @Test("V-10: The JSON serializer accepts three media types and has no options by default")
    func jsonSerializerHasAFNetworkingsDefaults() {
        let serializer = JSONResponseSerializer()
        #expect(
            serializer.acceptableContentTypes == [
                "application/json", "text/json", "text/javascript",
            ]
        )
        #expect(serializer.readingOptions.rawValue == 0)
        #expect(!serializer.removesKeysWithNullValues)
        #expect(
            JSONResponseSerializer(readingOptions: .fragmentsAllowed).readingOptions
                == .fragmentsAllowed
        )
    }

    @Test("V-10: JSON is parsed into values")
    func jsonIsRead() throws {
        let text = #"{"a":[1,2.5,true,null,"x"],"b":{"c":{}},"n":null}"#
        let result = Serialized(JSONResponseSerializer(), try Responses.http(), text)
        #expect(result.error == nil)
        let object = try #require(result.object as? [String: Any])
        #expect(Set(object.keys) == ["a", "b", "n"])
        let list = try #require(object["a"] as? [Any])
        #expect(list.count == 5)
        #expect(list[0] as? Int == 1)
        #expect(list[1] as? Double == 2.5)
        #expect(list[2] as? Bool == true)
        #expect(list[3] is NSNull)
        #expect(list[4] as? String == "x")
        #expect((object["b"] as? [String: [String: Int]])?["c"] == [:])
        #expect(object["n"] is NSNull)
        let array = Serialized(JSONResponseSerializer(), try Responses.http(), "[[],{}]")
        #expect((array.object as? [Any])?.count == 2)
    }

    @Test("V-08: JSON of an unacceptable type isn't parsed, but JSON of a bad status is")
    func onlyTheTypeKeepsABodyFromBeingDecoded() throws {
        let serializer = JSONResponseSerializer()
        let wrong = Serialized(serializer, try Responses.http(type: "text/html"), "[1]")
        #expect(wrong.object == nil)
        #expect(wrong.nsError?.code == -1016)
        let refused = Serialized(serializer, try Responses.http(422), #"{"error":"name"}"#)
        #expect((refused.object as? [String: String]) == ["error": "name"])
        #expect(refused.nsError?.code == -1011)
        // The media type's error may be the underlying error.
        let both = Serialized(serializer, try Responses.http(500, type: "text/html"), "[1]")
        #expect(both.object == nil)
        #expect(both.chain.count == 2)
    }

    @Test("V-11: An empty body and a single space are nil without an error", arguments: ["", " "])
    func emptyBodyIsNil(text: String) throws {
        for status in [200, 204, 205] {
            let response = try Responses.http(status)
            let result = Serialized(JSONResponseSerializer(), response, text)
            #expect(result.object == nil)
            #expect(result.error == nil)
        }
        let refused = Serialized(JSONResponseSerializer(), try Responses.http(500), text)
        #expect(refused.object == nil)
        #expect(refused.nsError?.code == -1011)
        #expect(
            Serialized(JSONResponseSerializer(), try Responses.http(), nil as Data?).error == nil
        )
        // Two spaces aren't valid JSON.
        #expect(Serialized(JSONResponseSerializer(), try Responses.http(), "  ").error != nil)
    }

    @Test("V-12: Invalid JSON is Foundation's error, with the status code's error underlying")
    func invalidJSONIsFoundationsError() throws {
        let serializer = JSONResponseSerializer()
        let result = Serialized(serializer, try Responses.http(), "{")
        #expect(result.object == nil)
        #expect(result.chain.first == "NSCocoaErrorDomain 3840")
        let refused = Serialized(serializer, try Responses.http(503), "<html>")
        #expect(refused.object == nil)
        #expect(
            refused.chain == [
                "NSCocoaErrorDomain 3840", "com.alamofire.error.serialization.response -1011",
            ]
        )
    }

    @Test("V-13, C-23: Null values are removed at any depth")
    func nullValuesAreRemoved() throws {
        let serializer = JSONResponseSerializer()
        serializer.removesKeysWithNullValues = true
        let text = #"{"a":null,"b":[null,1,{"c":null,"d":2},[null]],"e":"x"}"#
        let result = Serialized(serializer, try Responses.http(), text)
        let object = try #require(result.object as? [String: Any])
        #expect(Set(object.keys) == ["b", "e"])
        let list = try #require(object["b"] as? [Any])
        #expect(list.count == 3)
        #expect(list[0] as? Int == 1)
        #expect(list[1] as? [String: Int] == ["d": 2])
        #expect((list[2] as? [Any])?.isEmpty == true)
    }

    @Test("V-13, C-23: The function returns objects other than collections unchanged")
    func otherObjectsAreReturnedUnchanged() {
        #expect(JSONObjectByRemovingKeysWithNullValues("x") as? String == "x")
        #expect(JSONObjectByRemovingKeysWithNullValues(NSNull()) is NSNull)
        #expect(JSONObjectByRemovingKeysWithNullValues([1, 2]) as? [Int] == [1, 2])
        let cleaned = JSONObjectByRemovingKeysWithNullValues(
            ["a": NSNull(), "b": 1] as [String: Any],
            options: .mutableContainers
        )
        #expect(cleaned as? [String: Int] == ["b": 1])
    }

    @Test("V-14: Fragments need an option")
    func fragmentsNeedAnOption() throws {
        let serializer = JSONResponseSerializer()
        #expect(Serialized(serializer, try Responses.http(), "3").nsError?.code == 3840)
        serializer.readingOptions = .fragmentsAllowed
        #expect(Serialized(serializer, try Responses.http(), "3").object as? Int == 3)
        #expect(Serialized(serializer, try Responses.http(), #""x""#).object as? String == "x")
        #expect(Serialized(serializer, try Responses.http(), "null").object is NSNull)
        #expect(Serialized(serializer, try Responses.http(), "true").object as? Bool == true)
    }

    /// Mutable objects could be changed from two threads.
    @Test func mutableOptionsReturnValues() throws {
        let serializer = JSONResponseSerializer(readingOptions: [
            .mutableContainers, .mutableLeaves,
        ])
        let result = Serialized(serializer, try Responses.http(), #"{"a":{"b":["c"]}}"#)
        let object = try #require(result.object as? [String: Any])
        #expect(!(object["a"] is NSMutableDictionary))
        #expect((object["a"] as? [String: [String]]) == ["b": ["c"]])
    }

    @Test("V-25: A copy has the same options, and they can be encoded")
    func aCopyHasTheOptions() throws {
        let serializer = JSONResponseSerializer(readingOptions: .fragmentsAllowed)
        serializer.removesKeysWithNullValues = true
        serializer.acceptableContentTypes?.insert("text/plain")
        let copy = serializer.copy()
        #expect(copy.options == serializer.options)
        #expect(copy.acceptableContentTypes?.contains("text/plain") == true)
        copy.removesKeysWithNullValues = false
        #expect(serializer.removesKeysWithNullValues)
        let stored = try JSONEncoder().encode(serializer.options)
        #expect(
            try JSONDecoder().decode(JSONResponseOptions.self, from: stored) == serializer.options
        )
    }

    @Test("S-05: A serializer can be used by many threads while it is changed")
    func oneSerializerServesMany() async throws {
        let serializer = JSONResponseSerializer()
        let response = try Responses.http()
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    serializer.removesKeysWithNullValues = number.isMultiple(of: 2)
                    let result = Serialized(serializer, response, "[\(number)]")
                    return result.object as? [Int] == [number] && result.error == nil
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
