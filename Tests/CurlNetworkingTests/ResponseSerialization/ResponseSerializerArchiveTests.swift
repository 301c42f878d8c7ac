internal import CurlNetworking
internal import Foundation
internal import Testing

/// Archives of response serializers.
@Suite struct ResponseSerializerArchiveTests {
    private func archived<Serializer: HTTPResponseSerializer>(
        _ serializer: Serializer
    ) throws -> Serializer {
        let data = try JSONEncoder().encode(serializer)
        return try JSONDecoder().decode(Serializer.self, from: data)
    }

    /// Changes what all serializers accept.
    private func changed<Serializer: HTTPResponseSerializer>(
        _ serializer: Serializer
    ) -> Serializer {
        serializer.acceptableStatusCodes = [200, 404]
        serializer.acceptableContentTypes = ["text/x-mine"]
        serializer.contentTypeMatching = .patterns
        return serializer
    }

    @Test("V-25: An archived serializer has its class, its acceptable values and its options")
    func archivedSerializerHasItsSettings() throws {
        let acceptance = changed(HTTPResponseSerializer()).acceptance
        #expect(try archived(changed(HTTPResponseSerializer())).acceptance == acceptance)
        #expect(try archived(changed(ImageResponseSerializer())).acceptance == acceptance)
        #expect(try archived(changed(DataResponseSerializer())).acceptance == acceptance)
        let json = JSONResponseSerializer(readingOptions: .fragmentsAllowed)
        json.removesKeysWithNullValues = true
        let archivedJSON = try archived(changed(json))
        #expect(archivedJSON.options == json.options && archivedJSON.acceptance == acceptance)
        let list = PropertyListResponseSerializer(format: .binary, readOptions: .mutableContainers)
        let archivedList = try archived(changed(list))
        #expect(archivedList.options == list.options && archivedList.acceptance == acceptance)
        let text = StringResponseSerializer(encoding: .utf16)
        text.emptyResponseRules = EmptyResponseRules(statusCodes: [200], requestMethods: [])
        let archivedText = try archived(changed(text))
        #expect(archivedText.encoding == .utf16 && archivedText.acceptance == acceptance)
        #expect(archivedText.emptyResponseRules == text.emptyResponseRules)
        #expect(try archived(StringResponseSerializer()).encoding == nil)
    }

    @Test("V-25, V-24: An archived compound has its serializers, in order")
    func archivedCompoundHasItsSerializers() throws {
        let compound = CompoundResponseSerializer(responseSerializers: [
            changed(JSONResponseSerializer()),
            CompoundResponseSerializer(responseSerializers: [PropertyListResponseSerializer()]),
        ])
        let parts = try archived(compound).responseSerializers
        #expect(parts.count == 2)
        let json = try #require(parts.first as? JSONResponseSerializer)
        #expect(json.acceptableContentTypes == ["text/x-mine"])
        let inner = try #require(parts.last as? CompoundResponseSerializer)
        #expect(inner.responseSerializers.first is PropertyListResponseSerializer)
    }

    @Test("V-25: A serializer with a closure or an object of the caller's can't be archived")
    func closuresCannotBeArchived() {
        let checked = JSONResponseSerializer()
        checked.validation = { _, _ in }
        let preprocessed = DataResponseSerializer()
        preprocessed.preprocessor = XSSIPreprocessor()
        let compound = CompoundResponseSerializer(responseSerializers: [checked])
        let serializers: [HTTPResponseSerializer] = [
            checked, preprocessed, compound, DecodableResponseSerializer<[String]>(),
        ]
        for serializer in serializers {
            #expect(throws: EncodingError.self) { try JSONEncoder().encode(serializer) }
        }
    }

    @Test("V-25: A damaged archive of a serializer is an error")
    func damagedArchiveIsAnError() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(JSONResponseSerializer.self, from: Data("{}".utf8))
        }
    }
}
