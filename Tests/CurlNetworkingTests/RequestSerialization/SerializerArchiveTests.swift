internal import CurlNetworking
internal import Foundation
internal import Testing

/// Archives of request serializers that are damaged, or from another class or version.
@Suite struct SerializerArchiveTests {
    /// An archive with some fields changed or, for `nil`, removed.
    private func archive(
        _ serializer: HTTPRequestSerializer,
        _ changes: [String: Any?] = [:]
    ) throws -> Data {
        let data = try JSONEncoder().encode(serializer)
        var fields = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        for (name, value) in changes { fields[name] = value }
        return try JSONSerialization.data(withJSONObject: fields)
    }

    private func decode<Serializer: HTTPRequestSerializer>(
        _ data: Data,
        as type: Serializer.Type = HTTPRequestSerializer.self
    ) throws -> Serializer {
        try JSONDecoder().decode(type, from: data)
    }

    /// The description of the error with which an archive is refused.
    private func refusal<Serializer: HTTPRequestSerializer>(
        _ data: Data,
        as type: Serializer.Type = HTTPRequestSerializer.self
    ) -> String? {
        let error = #expect(throws: DecodingError.self) { try decode(data, as: type) }
        guard case .dataCorrupted(let context) = error else { return nil }
        return context.debugDescription
    }

    @Test func unknownStylesAreRefusedByName() throws {
        let serializer = HTTPRequestSerializer()
        let array = try archive(serializer, ["arrayEncoding": "spiral"])
        #expect(refusal(array) == "spiral isn't an array encoding.")
        // A closure's name is unknown, too.
        let custom = try archive(serializer, ["arrayEncoding": "custom"])
        #expect(refusal(custom) == "custom isn't an array encoding.")
        #expect(refusal(try archive(serializer, ["boolEncoding": "maybe"])) != nil)
        #expect(refusal(try archive(serializer, ["style": 7])) != nil)
    }

    @Test(arguments: [
        "headers", "options", "stringEncoding", "methodsEncodingParametersInURI", "style",
        "arrayEncoding", "boolEncoding",
    ])
    func archiveWithoutAFieldIsRefused(name: String) throws {
        let data = try archive(HTTPRequestSerializer(), [name: nil as Any?])
        let error = #expect(throws: DecodingError.self) { try decode(data) }
        guard case .keyNotFound(let key, _) = error else {
            Issue.record("\(name): \(String(describing: error))")
            return
        }
        #expect(key.stringValue == name)
    }

    @Test func unknownRequestPropertiesAreLeftOut() throws {
        let options: [String: Any] = ["cachePolicy": 99, "networkServiceType": 99]
        let decoded = try decode(archive(HTTPRequestSerializer(), ["options": options]))
        #expect(decoded.cachePolicy == nil && decoded.networkServiceType == nil)
        #expect(decoded.timeoutInterval == nil && decoded.allowsCellularAccess == nil)
    }

    @Test func baseClassReadsASubclassesArchiveButNotTheReverse() throws {
        let json = JSONRequestSerializer(writingOptions: .sortedKeys)
        json.setValue("1", forHTTPHeaderField: "X-One")
        let base = try decode(archive(json))
        #expect(base.value(forHTTPHeaderField: "X-One") == "1")
        let plain = try archive(HTTPRequestSerializer())
        #expect(throws: DecodingError.self) { try decode(plain, as: JSONRequestSerializer.self) }
        #expect(throws: DecodingError.self) {
            try decode(plain, as: PropertyListRequestSerializer.self)
        }
    }

    @Test func unknownPropertyListFormatIsRefusedByNumber() throws {
        let data = try archive(PropertyListRequestSerializer(), ["format": 7])
        let refusal = refusal(data, as: PropertyListRequestSerializer.self)
        #expect(refusal == "7 isn't a property list format.")
    }

    @Test func errorOfAClosureSaysWhatCanNotBeArchived() {
        let serializer = HTTPRequestSerializer()
        serializer.arrayEncoding = .custom { key, _ in key }
        let json = JSONRequestSerializer()
        json.makeEncoder = { JSONEncoder() }
        for (serializer, text) in [(serializer, "a custom array encoding"), (json, "by a closure")]
        {
            let error = #expect(throws: EncodingError.self) {
                try JSONEncoder().encode(serializer)
            }
            guard case .invalidValue(_, let context) = error else {
                Issue.record("another error")
                continue
            }
            #expect(context.debugDescription.contains(text))
        }
    }

    @Test func bodyThatTheStringEncodingLacksIsAnError() throws {
        let serializer = HTTPRequestSerializer()
        serializer.stringEncoding = .isoLatin1
        serializer.setQueryStringSerialization { _, parameters in "\(parameters)" }
        func body(_ text: String) throws -> Data? {
            try serializer.request(withMethod: .put, urlString: "http://h/", parameters: text)
                .httpBody
        }
        #expect(try body("ä") == Data([0xE4]))
        let error = #expect(throws: NSError.self) { try body("漢") }
        #expect(error?.domain == URLRequestSerializationErrorDomain && error?.code == -1016)
        #expect(error?.localizedFailureReason?.contains("string encoding") == true)
    }
}
