/// The elements of a sequence that is being encoded.
struct FormUnkeyedContainer: UnkeyedEncodingContainer {
    let parent: FormEncoder
    var codingPath: [any CodingKey] { parent.codingPath }
    var count: Int { parent.node.count }

    private func next() -> FormEncoder {
        parent.child(parent.node.nextNode(), nil)
    }

    mutating func encodeNil() throws {
        next().node.content = .null
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try next().write(value)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        next().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        next().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        next()
    }
}
