internal import CurlNetworking
internal import Foundation
internal import Testing

@Suite struct OtherResponseSerializerTests {
    private func plist(_ object: Any) throws -> Data {
        try PropertyListSerialization.data(fromPropertyList: object, format: .xml, options: 0)
    }

    @Test("V-22: Property lists are parsed")
    func propertyListsAreRead() throws {
        let serializer = PropertyListResponseSerializer()
        #expect(serializer.acceptableContentTypes == ["application/x-plist"])
        let data = try plist(
            [
                "n": 1, "f": 1.5, "b": true, "s": "x", "d": Data([1]),
                "t": Date(timeIntervalSince1970: 0), "l": [["k": "v"]],
            ] as [String: Any]
        )
        let result = Serialized(serializer, try Responses.http(type: "application/x-plist"), data)
        #expect(result.error == nil)
        let object = try #require(result.object as? [String: Any])
        #expect(object["n"] as? Int == 1)
        #expect(object["f"] as? Double == 1.5)
        #expect(object["b"] as? Bool == true)
        #expect(object["s"] as? String == "x")
        #expect(object["d"] as? Data == Data([1]))
        #expect(object["t"] as? Date == Date(timeIntervalSince1970: 0))
        #expect(object["l"] as? [[String: String]] == [["k": "v"]])
        let other = try Responses.http(type: "application/plist")
        #expect(Serialized(serializer, other, data).object == nil)
    }

    @Test("V-22: An empty body is nil, and an invalid property list is an error")
    func emptyPropertyListBodyIsNil() throws {
        let serializer = PropertyListResponseSerializer()
        let response = try Responses.http(204, type: "application/x-plist")
        for data in [nil, Data()] {
            let result = Serialized(serializer, response, data)
            #expect(result.object == nil)
            #expect(result.error == nil)
        }
        let refused = try Responses.http(500, type: "application/x-plist")
        let bad = Serialized(serializer, refused, "x<")
        #expect(
            bad.chain == [
                "NSCocoaErrorDomain 3840", "com.alamofire.error.serialization.response -1011",
            ]
        )
    }

    @Test("V-25: A copy of a property list serializer has its options, and they can be encoded")
    func aPropertyListSerializersCopyHasItsOptions() throws {
        let serializer = PropertyListResponseSerializer(
            format: .binary,
            readOptions: .mutableContainers
        )
        #expect(serializer.copy().options == serializer.options)
        #expect(serializer.format == .binary)
        let stored = try JSONEncoder().encode(serializer.options)
        let read = try JSONDecoder().decode(PropertyListResponseOptions.self, from: stored)
        #expect(read == serializer.options)
        #expect(throws: DecodingError.self) {
            let unknown = Data(#"{"format":7,"readOptions":0}"#.utf8)
            _ = try JSONDecoder().decode(PropertyListResponseOptions.self, from: unknown)
        }
    }

    @Test("V-23: Images are returned as data")
    func imagesAreReturnedAsData() throws {
        let serializer = ImageResponseSerializer()
        #expect(serializer.acceptableContentTypes?.count == 10)
        let png = try Responses.http(type: "image/png")
        #expect(Serialized(serializer, png, "png").object as? Data == Data("png".utf8))
        #expect(Serialized(serializer, png, "").object == nil)
        let webp = Serialized(serializer, try Responses.http(type: "image/webp"), "webp")
        #expect(webp.object == nil)
        #expect(webp.nsError?.code == -1016)
        let missing = Serialized(serializer, try Responses.http(404, type: "image/png"), "png")
        #expect(missing.object != nil)
        #expect(missing.nsError?.code == -1011)
    }

    @Test("V-24: The first serializer that returns an object determines the result")
    func firstSerializerWithAnObjectDecides() throws {
        let serializer = CompoundResponseSerializer(responseSerializers: [
            ImageResponseSerializer(), JSONResponseSerializer(), PropertyListResponseSerializer(),
        ])
        let json = Serialized(serializer, try Responses.http(), "[1]")
        #expect(json.object as? [Int] == [1])
        // The error of the image serializer is discarded.
        #expect(json.error == nil)
        let image = Serialized(serializer, try Responses.http(type: "image/png"), "png")
        #expect(image.object as? Data == Data("png".utf8))
        // The error of the serializer that returned the object is kept.
        let refused = Serialized(serializer, try Responses.http(404), "[1]")
        #expect(refused.object as? [Int] == [1])
        #expect(refused.nsError?.code == -1011)
    }

    @Test("V-24: If no serializer returns an object, the result is the body")
    func bodyIsReturnedWhenNoSerializerReturnsAnObject() throws {
        let serializer = CompoundResponseSerializer(responseSerializers: [JSONResponseSerializer()])
        let result = Serialized(serializer, try Responses.http(type: "text/html"), "<p>")
        #expect(result.object as? Data == Data("<p>".utf8))
        #expect(result.error == nil)
        let broken = Serialized(serializer, try Responses.http(500), "{")
        #expect(broken.object as? Data == Data("{".utf8))
        #expect(broken.chain == ["com.alamofire.error.serialization.response -1011"])
        let none = CompoundResponseSerializer(responseSerializers: [])
        #expect(Serialized(none, try Responses.http(), "x").object as? Data == Data("x".utf8))
    }

    @Test("V-24: Only HTTPResponseSerializers are tried, and the base class accepts any body")
    func onlyHTTPResponseSerializersAreTried() throws {
        struct Other: URLResponseSerialization {
            func responseObject(
                for response: URLResponse?,
                data: Data?,
                error: inout (any Error)?
            ) -> (any Sendable)? {
                Issue.record("was asked")
                return 1
            }
        }
        let serializer = CompoundResponseSerializer(responseSerializers: [
            Other(), HTTPResponseSerializer(), JSONResponseSerializer(),
        ])
        #expect(serializer.responseSerializers.count == 3)
        let result = Serialized(serializer, try Responses.http(), "[1]")
        #expect(result.object as? Data == Data("[1]".utf8))
    }

    @Test("V-25: A copy of a compound serializer has the same serializers")
    func aCompoundSerializersCopyAsksTheSame() throws {
        let json = JSONResponseSerializer()
        let serializer = CompoundResponseSerializer(responseSerializers: [json])
        serializer.acceptableStatusCodes = [404]
        let copy = serializer.copy()
        #expect(copy.responseSerializers.first as? JSONResponseSerializer === json)
        #expect(copy.acceptableStatusCodes == [404])
    }
}
