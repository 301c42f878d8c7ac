internal import Foundation

/// Writes one value, including nested values, into a node.
struct FormEncoder: Encoder {
    let encoder: URLEncodedFormEncoder
    let node: FormNode
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeObject()
        return KeyedEncodingContainer(FormKeyedContainer<Key>(parent: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeArray()
        return FormUnkeyedContainer(parent: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        FormValueContainer(parent: self)
    }

    /// An encoder for the child node at a key.
    func child(_ node: FormNode, _ key: (any CodingKey)?) -> FormEncoder {
        FormEncoder(
            encoder: encoder,
            node: node,
            codingPath: codingPath + (key.map { [$0] } ?? [])
        )
    }

    func write(_ value: some Encodable) throws {
        if let text = try text(of: value) {
            node.content = .text(text)
        } else {
            try value.encode(to: self)
        }
    }

    /// The value as one text.
    ///
    /// It is `nil` if the value has to encode itself.
    private func text(of value: any Encodable) throws -> String? {
        switch value {
        case let date as Date: try encoder.dateEncoding.text(date)
        case let data as Data: try encoder.dataEncoding.text(data)
        case let number as Decimal: number.description
        case let bool as Bool: encoder.boolEncoding.text(bool)
        case is String, is any BinaryInteger, is Double, is Float, is URL, is UUID:
            ParameterValue.description(of: value)
        default: nil
        }
    }
}

/// Encodes a single value.
private struct FormValueContainer: SingleValueEncodingContainer {
    let parent: FormEncoder
    var codingPath: [any CodingKey] { parent.codingPath }

    mutating func encodeNil() throws {
        parent.node.content = .null
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try parent.write(value)
    }
}

/// Encodes the entries of a structure or dictionary.
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

/// Encodes the elements of a sequence.
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
