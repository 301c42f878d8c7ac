/// Header fields in an order, one for each name.
///
/// Names are compared without regard to case (RFC 9110, 5.1), and stay spelled as they were given last.
/// It is made of a literal, `["Accept": "text/plain"]`, or of fields,
/// `[.accept("text/plain"), .authorization(bearerToken: token)]`.
public struct HTTPHeaders: Sendable {
    private var fields: [HTTPHeader] = []

    /// Creates a collection without fields.
    public init() {}

    /// Creates a collection of fields. Of several with one name, the last one's value counts, in the
    /// place of the first.
    public init(_ headers: [HTTPHeader]) {
        for header in headers { update(header) }
    }

    /// Creates a collection from a dictionary, in the order of the names. Of several names that differ
    /// in case alone, the last one counts.
    public init(_ dictionary: [String: String]) {
        for (name, value) in dictionary.sorted(by: { $0.key < $1.key }) {
            update(name: name, value: value)
        }
    }

    /// Sets a field in the place of the one with its name, or at the end.
    public mutating func update(_ header: HTTPHeader) {
        if let index = index(of: header.name) {
            fields[index] = header
        } else {
            fields.append(header)
        }
    }

    /// Sets a field in the place of the one with its name, or at the end.
    public mutating func update(name: String, value: String) {
        update(HTTPHeader(name: name, value: value))
    }

    /// Sets a field in the place of the one with its name, or at the end: the same as ``update(_:)``.
    public mutating func add(_ header: HTTPHeader) {
        update(header)
    }

    /// Sets a field in the place of the one with its name, or at the end.
    public mutating func add(name: String, value: String) {
        update(name: name, value: value)
    }

    /// Removes the field of a name, if there is one.
    public mutating func remove(name: String) {
        if let index = index(of: name) { fields.remove(at: index) }
    }

    /// Sorts the fields by their names, without regard to case.
    public mutating func sort() {
        fields.sort { $0.name.lowercased() < $1.name.lowercased() }
    }

    /// The fields sorted by their names, without regard to case.
    public func sorted() -> HTTPHeaders {
        var headers = self
        headers.sort()
        return headers
    }

    /// The value of the field of a name; `nil` if there is none.
    public func value(for name: String) -> String? {
        index(of: name).map { fields[$0].value }
    }

    /// The value of the field of a name; `nil` if there is none. Setting `nil` removes the field.
    public subscript(name: String) -> String? {
        get { value(for: name) }
        set {
            if let newValue {
                update(name: name, value: newValue)
            } else {
                remove(name: name)
            }
        }
    }

    /// Names and values without their order.
    public var dictionary: [String: String] {
        Dictionary(fields.map { ($0.name, $0.value) }) { _, last in last }
    }

    private func index(of name: String) -> Int? {
        fields.firstIndex { $0.isNamed(name) }
    }
}

extension HTTPHeaders: RandomAccessCollection {
    /// The place of the first field.
    public var startIndex: Int { fields.startIndex }

    /// The place after the last field.
    public var endIndex: Int { fields.endIndex }

    /// The field at a place.
    public subscript(position: Int) -> HTTPHeader { fields[position] }
}
