extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates a collection in the literal's order.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { HTTPHeader(name: $0.0, value: $0.1) })
    }
}

extension HTTPHeaders: ExpressibleByArrayLiteral {
    /// Creates a collection in the literal's order.
    public init(arrayLiteral elements: HTTPHeader...) {
        self.init(elements)
    }
}

extension HTTPHeaders: Hashable {
    /// Whether both contain the same names with the same values.
    ///
    /// The case of names and the order of fields are ignored.
    public static func == (lhs: HTTPHeaders, rhs: HTTPHeaders) -> Bool {
        lhs.count == rhs.count && lhs.allSatisfy { rhs.value(for: $0.name) == $0.value }
    }

    /// Hashes names and values, regardless of their order.
    public func hash(into hasher: inout Hasher) {
        for header in sorted() {
            hasher.combine(header.name.lowercased())
            hasher.combine(header.value)
        }
    }
}

extension HTTPHeaders: Codable {
    /// Reads an array of fields.
    public init(from decoder: any Decoder) throws {
        self.init(try [HTTPHeader](from: decoder))
    }

    /// Writes an array of fields.
    public func encode(to encoder: any Encoder) throws {
        try Array(self).encode(to: encoder)
    }
}

extension HTTPHeaders: CustomStringConvertible {
    /// A line for each field.
    public var description: String { map(\.description).joined(separator: "\n") }
}
