internal import CurlNetworking
internal import Foundation
internal import Testing

@Suite struct SerializerCopyTests {
    /// Sets all properties to values other than their defaults.
    private func change(_ serializer: HTTPRequestSerializer) {
        serializer.setValue("v", forHTTPHeaderField: "X-Mine")
        serializer.setValue(nil, forHTTPHeaderField: "User-Agent")
        serializer.stringEncoding = .isoLatin1
        serializer.httpMethodsEncodingParametersInURI = ["QUERY"]
        serializer.arrayEncoding = .indexInBrackets
        serializer.boolEncoding = .literal
        serializer.allowsCellularAccess = false
        serializer.cachePolicy = .reloadIgnoringLocalCacheData
        serializer.httpShouldHandleCookies = false
        serializer.httpShouldUsePipelining = true
        serializer.networkServiceType = .video
        serializer.timeoutInterval = 3
    }

    private func expectChanges(
        _ serializer: HTTPRequestSerializer,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(serializer.httpRequestHeaders.map(\.name) == ["Accept-Language", "X-Mine"])
        #expect(serializer.stringEncoding == .isoLatin1)
        #expect(serializer.httpMethodsEncodingParametersInURI == ["QUERY"])
        let request = try serializer.request(
            withMethod: "QUERY",
            urlString: "http://h/",
            parameters: ["a": [true]]
        )
        #expect(request.url?.query == "a%5B0%5D=true", sourceLocation: sourceLocation)
        #expect(serializer.allowsCellularAccess == false)
        #expect(serializer.cachePolicy == .reloadIgnoringLocalCacheData)
        #expect(serializer.httpShouldHandleCookies == false)
        #expect(serializer.httpShouldUsePipelining == true)
        #expect(serializer.networkServiceType == .video && serializer.timeoutInterval == 3)
    }

    @Test("R-29: A copy has all settings, and changes independently")
    func copyHasAllSettings() throws {
        let serializer = HTTPRequestSerializer()
        change(serializer)
        try expectChanges(serializer.copy())
        serializer.setQueryStringSerialization { _, _ in "block" }
        serializer.formEncoder = URLEncodedFormEncoder()
        let copy = serializer.copy()
        #expect(copy.formEncoder != nil)
        serializer.setQueryStringSerialization(with: .defaultStyle)
        serializer.timeoutInterval = 9
        let request = try copy.request(
            withMethod: "QUERY",
            urlString: "http://h/",
            parameters: ["a": 1]
        )
        #expect(request.url?.query == "block" && request.timeoutInterval == 3)
    }

    @Test("R-28: An archive has all settings")
    func archiveHasAllSettings() throws {
        let serializer = HTTPRequestSerializer()
        change(serializer)
        let data = try JSONEncoder().encode(serializer)
        try expectChanges(JSONDecoder().decode(HTTPRequestSerializer.self, from: data))
    }

    @Test("R-28: Archiving a closure throws")
    func closuresCannotBeArchived() {
        let changes: [(HTTPRequestSerializer) -> Void] = [
            { $0.setQueryStringSerialization { _, _ in nil } },
            { $0.formEncoder = URLEncodedFormEncoder() },
            { $0.arrayEncoding = .custom { key, _ in key } },
        ]
        for change in changes {
            let serializer = HTTPRequestSerializer()
            change(serializer)
            #expect(throws: EncodingError.self) { try JSONEncoder().encode(serializer) }
        }
        let json = JSONRequestSerializer()
        json.makeEncoder = { JSONEncoder() }
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(json) }
    }

    @Test("J-06, J-07: Subclasses copy and archive their own settings")
    func subclassesCopyTheirOwnSettings() throws {
        let json = JSONRequestSerializer(writingOptions: [.sortedKeys, .prettyPrinted])
        change(json)
        let list = PropertyListRequestSerializer(format: .binary)
        change(list)
        let jsonData = try JSONEncoder().encode(json)
        let decodedJSON = try JSONDecoder().decode(JSONRequestSerializer.self, from: jsonData)
        for copy in [json.copy(), decodedJSON] {
            #expect(copy.writingOptions == [.sortedKeys, .prettyPrinted])
            try expectChanges(copy)
        }
        let listData = try JSONEncoder().encode(list)
        let decodedList = try JSONDecoder()
            .decode(PropertyListRequestSerializer.self, from: listData)
        for copy in [list.copy(), decodedList] {
            #expect(copy.format == .binary && copy.writeOptions == 0)
            try expectChanges(copy)
        }
    }

    /// A subclass as a user might write it.
    private final class Signing: HTTPRequestSerializer, @unchecked Sendable {
        override func request(
            bySerializing request: URLRequest,
            withParameters parameters: Any?
        ) throws -> URLRequest {
            var request = try super.request(bySerializing: request, withParameters: parameters)
            request.setValue("signed", forHTTPHeaderField: "X-Signature")
            return request
        }
    }

    @Test("R-27: The overridden method of a subclass is called, and a copy has the same class")
    func aSubclassSerializes() throws {
        let request = try Signing().copy().request(withMethod: .get, urlString: "http://h/")
        #expect(request.value(forHTTPHeaderField: "X-Signature") == "signed")
    }
}
