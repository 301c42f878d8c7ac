internal import HTTPSemantics

/// A request's header fields, in the order in which they were set.
///
/// Names are compared case-insensitively for ASCII letters (RFC 9110, 5.1). A request has few
/// fields, so a linear search is faster than hashing.
struct RequestHeaderFields: Sendable {
    /// In the order in which they are sent.
    private(set) var lines: [HeaderLine]

    init(_ lines: [HeaderLine] = []) {
        self.lines = lines
    }

    /// Creates fields with unchanged names and values. They are sorted by name, because a
    /// dictionary has no order.
    init(_ fields: [String: String]) {
        lines = fields.sorted { $0.key < $1.key }.map { HeaderLine(name: $0.key, value: $0.value) }
    }

    var dictionary: [String: String] {
        Dictionary(lines.map { ($0.name, $0.value) }) { first, _ in first }
    }

    subscript(name: String) -> String? {
        lines.first { $0.name.equalsIgnoringASCIICase(name) }?.value
    }

    /// Replaces the value of a field, or removes the field with `nil`. The name's spelling is
    /// normalised.
    mutating func set(_ value: String?, for name: String) {
        let index = index(of: name)
        switch (index, value) {
        case (let index?, let value?):
            lines[index] = HeaderLine(name: name.capitalizedFieldName, value: value)
        case (let index?, nil):
            lines.remove(at: index)
        case (nil, let value?):
            append(value, for: name)
        case (nil, nil):
            break
        }
    }

    private mutating func append(_ value: String, for name: String) {
        // Reserves capacity for most requests, to avoid repeated growth.
        if lines.isEmpty { lines.reserveCapacity(8) }
        lines.append(HeaderLine(name: name.capitalizedFieldName, value: value))
    }

    /// Appends the lines whose names are missing. Their names have the normal spelling.
    mutating func complete(with others: [HeaderLine]) {
        // As in `append(_:for:)`, with room for fields that are set afterwards.
        if lines.isEmpty { lines.reserveCapacity(max(8, others.count + 2)) }
        for line in others where index(of: line.name) == nil { lines.append(line) }
    }

    /// Appends a value to a field, after a comma (RFC 9110, 5.3).
    mutating func add(_ value: String, for name: String) {
        guard let index = index(of: name) else { return append(value, for: name) }
        lines[index].value += "," + value
    }

    /// Returns these fields, and those of `other` whose names are missing here.
    func completed(by other: RequestHeaderFields) -> RequestHeaderFields {
        RequestHeaderFields(lines + other.lines.filter { index(of: $0.name) == nil })
    }

    /// Returns the names of the fields that `other` lacks or has with another value.
    ///
    /// Fields that describe a body are left out (RFC 9110, 8).
    func names(notIn other: RequestHeaderFields?) -> [String] {
        lines.filter { line in
            other?[line.name] != line.value && !line.name.lowercased().hasPrefix("content-")
        }.map(\.name)
    }

    private func index(of name: String) -> Int? {
        lines.firstIndex { $0.name.equalsIgnoringASCIICase(name) }
    }
}

// The order of fields with different names has no meaning (RFC 9110, 5.3).
extension RequestHeaderFields: Hashable {
    static func == (lhs: RequestHeaderFields, rhs: RequestHeaderFields) -> Bool {
        lhs.lines.count == rhs.lines.count
            && (lhs.lines == rhs.lines || lhs.dictionary == rhs.dictionary)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(dictionary)
    }
}
