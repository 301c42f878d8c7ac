/// A request's header fields, in the order in which they were set.
///
/// Names are compared without regard to the case of ASCII letters (RFC 9110, 5.1). A request has
/// few, so a search through an array takes less time than hashing.
struct RequestHeaderFields: Sendable {
    /// In the order in which they are sent.
    private(set) var lines: [HeaderLine]

    init(_ lines: [HeaderLine] = []) {
        self.lines = lines
    }

    /// Names and values as they are, spelled as they are; a dictionary has no order, so theirs is the
    /// names'.
    init(_ fields: [String: String]) {
        lines = fields.sorted { $0.key < $1.key }.map { HeaderLine(name: $0.key, value: $0.value) }
    }

    var dictionary: [String: String] {
        Dictionary(lines.map { ($0.name, $0.value) }) { first, _ in first }
    }

    subscript(name: String) -> String? {
        lines.first { $0.name.equalsIgnoringASCIICase(name) }?.value
    }

    /// Puts a value in the place of the one that a field has, or takes it away with `nil`. The name is
    /// spelled anew.
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
        // Room for as many as most requests have, rather than more room again and again.
        if lines.isEmpty { lines.reserveCapacity(8) }
        lines.append(HeaderLine(name: name.capitalizedFieldName, value: value))
    }

    /// Appends a value to the one that a field has, with a comma between them (RFC 9110, 5.3).
    mutating func add(_ value: String, for name: String) {
        guard let index = index(of: name) else { return append(value, for: name) }
        lines[index].value += "," + value
    }

    /// These fields, and those of `other` whose names they lack.
    func completed(by other: RequestHeaderFields) -> RequestHeaderFields {
        RequestHeaderFields(lines + other.lines.filter { index(of: $0.name) == nil })
    }

    /// The names of those that `other` lacks, or has with another value, but for those that describe a
    /// body (RFC 9110, 8).
    func names(notIn other: RequestHeaderFields?) -> [String] {
        lines.filter { line in
            other?[line.name] != line.value && !line.name.lowercased().hasPrefix("content-")
        }.map(\.name)
    }

    private func index(of name: String) -> Int? {
        lines.firstIndex { $0.name.equalsIgnoringASCIICase(name) }
    }
}

// The order of fields with different names means nothing (RFC 9110, 5.3).
extension RequestHeaderFields: Hashable {
    static func == (lhs: RequestHeaderFields, rhs: RequestHeaderFields) -> Bool {
        lhs.lines.count == rhs.lines.count
            && (lhs.lines == rhs.lines || lhs.dictionary == rhs.dictionary)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(dictionary)
    }
}
