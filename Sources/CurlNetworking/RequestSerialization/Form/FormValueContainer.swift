/// A single value that is being encoded.
struct FormValueContainer: SingleValueEncodingContainer {
    let parent: FormEncoder
    var codingPath: [any CodingKey] { parent.codingPath }

    mutating func encodeNil() throws {
        parent.node.content = .null
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try parent.write(value)
    }
}
