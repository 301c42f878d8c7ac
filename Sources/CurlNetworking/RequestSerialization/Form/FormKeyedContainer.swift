/// What is in a structure or dictionary that is being encoded.
struct FormKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let parent: FormEncoder
    var codingPath: [any CodingKey] { parent.codingPath }

    private func encoder(for key: any CodingKey) -> FormEncoder {
        parent.child(parent.node.node(for: key.stringValue), key)
    }

    mutating func encodeNil(forKey key: Key) throws {
        encoder(for: key).node.content = .null
    }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try encoder(for: key).write(value)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder(for: key).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(for: key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        parent.child(parent.node.node(for: "super"), nil)
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        encoder(for: key)
    }
}
