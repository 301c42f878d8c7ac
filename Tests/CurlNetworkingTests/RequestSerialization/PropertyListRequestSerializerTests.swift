internal import CurlNetworking
internal import Foundation
internal import Testing

@Suite struct PropertyListRequestSerializerTests {
    private let serializer = PropertyListRequestSerializer()

    private func request(_ method: HTTPMethod, _ parameters: Any?) throws -> URLRequest {
        try serializer.request(withMethod: method, urlString: "http://h/", parameters: parameters)
    }

    @Test("J-07: Parameters are encoded as a property list in the given format")
    func parametersAreAPropertyList() throws {
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            serializer.format = format
            let request = try request(.post, ["k": [1, 2]])
            #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/x-plist")
            var found = PropertyListSerialization.PropertyListFormat.openStep
            let list = try PropertyListSerialization.propertyList(
                from: #require(request.httpBody),
                options: [],
                format: &found
            )
            #expect(list as? [String: [Int]] == ["k": [1, 2]])
            #expect(found == format)
        }
    }

    @Test("J-07: Without parameters there is no body; methods such as DELETE use a query")
    func withoutParametersThereIsNoBody() throws {
        #expect(serializer.format == .xml && serializer.writeOptions == 0)
        #expect(try request(.post, nil).httpBody == nil)
        #expect(try request(.post, nil).value(forHTTPHeaderField: "Content-Type") == nil)
        #expect(try request(.delete, ["k": 1]).url?.query == "k=1")
    }

    @Test("J-07: Values that a property list can't represent are Foundation's error")
    func valueWithoutPropertyListTypeIsAnError() {
        for parameters in [[42: "v"] as Any, ["k": NSNull()]] {
            let error = #expect(throws: NSError.self) { try request(.post, parameters) }
            #expect(error?.domain == NSCocoaErrorDomain)
        }
    }

    @Test("J-07: A format that can't be written is an error with a reason")
    func aFormatThatCanNotBeWrittenIsAnError() {
        serializer.format = .openStep
        let error = #expect(throws: NSError.self) { try request(.post, ["k": "v"]) }
        #expect(error?.domain == URLRequestSerializationErrorDomain)
        #expect(error?.localizedFailureReason?.contains("OpenStep") ?? false)
        #expect(throws: NSError.self) {
            try serializer.request(withMethod: .post, urlString: "http://h/", encoding: ["k": 5])
        }
        serializer.format = .xml
        serializer.writeOptions = -1
        #expect(throws: NSError.self) { try request(.post, ["k": "v"]) }
    }

    @Test("A-10, J-07: Encodable parameters are a property list body, or a query")
    func encodableParametersAreAPropertyList() throws {
        let request = try serializer.request(
            withMethod: .post,
            urlString: "http://h/",
            encoding: ["k": 5]
        )
        let body = try #require(request.httpBody)
        #expect(try PropertyListDecoder().decode([String: Int].self, from: body) == ["k": 5])
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/x-plist")
        let get = try serializer.request(
            withMethod: .get,
            urlString: "http://h/",
            encoding: ["k": 5]
        )
        #expect(get.url?.query == "k=5")
    }
}
