internal import Foundation

/// Writes one value, and what is in it, into a node.
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

    /// For what is in the node at a key.
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

    /// What is one text; `nil` for what encodes itself otherwise.
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
