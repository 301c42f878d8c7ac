// The `encode(to:)` that the compiler synthesizes calls one of these methods for each optional
// property. Their default implementations omit `nil` entirely.

extension FormKeyedContainer {
    private mutating func write(_ value: (some Encodable)?, _ key: Key) throws {
        if let value {
            try encode(value, forKey: key)
        } else {
            try encodeNil(forKey: key)
        }
    }

    mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        try write(value, key)
    }

    mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
        try write(value, key)
    }

    mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws {
        try write(value, key)
    }

    mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
        try write(value, key)
    }

    mutating func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
        try write(value, key)
    }

    mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
        try write(value, key)
    }

    mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) throws {
        try write(value, key)
    }

    mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) throws {
        try write(value, key)
    }

    mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) throws {
        try write(value, key)
    }

    mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
        try write(value, key)
    }

    mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) throws {
        try write(value, key)
    }

    mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws {
        try write(value, key)
    }

    mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
        try write(value, key)
    }

    mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
        try write(value, key)
    }

    mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
        try write(value, key)
    }
}
