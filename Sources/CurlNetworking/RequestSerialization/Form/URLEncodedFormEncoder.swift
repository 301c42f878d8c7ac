internal import Foundation

/// Writes `Encodable` values as a query, or as a body of `application/x-www-form-urlencoded`.
///
/// ```swift
/// struct Search: Encodable {
///     var term: String
///     var tags: [String]
/// }
/// let query = try URLEncodedFormEncoder().encode(Search(term: "a b", tags: ["x"]))
/// // tags%5B%5D=x&term=a%20b
/// ```
///
/// Text, Booleans, numbers, URLs and UUIDs are written as
/// ``queryString(from:arrayEncoding:boolEncoding:)`` writes them. The outermost value must have
/// keys: a structure or a dictionary.
public struct URLEncodedFormEncoder: Sendable {
    /// Whether entries are sorted by their encoded keys, by scalar values.
    ///
    /// `true` by default; otherwise entries stay in the order in which they are encoded.
    public var alphabetizesKeys = true
    /// How array elements are named. `brackets` by default.
    public var arrayEncoding = ArrayEncoding.brackets
    /// How Booleans are written. `numeric` by default.
    public var boolEncoding = BoolEncoding.numeric
    /// How data is written. `base64` by default.
    public var dataEncoding = DataEncoding.base64
    /// How dates are written. `deferredToDate` by default.
    public var dateEncoding = DateEncoding.deferredToDate
    /// How keys are written. `useDefaultKeys` by default.
    public var keyEncoding = KeyEncoding.useDefaultKeys
    /// How keys of nested structures are named. `brackets` by default.
    public var keyPathEncoding = KeyPathEncoding.brackets
    /// What is written for `nil`. `dropKey` by default.
    public var nilEncoding = NilEncoding.dropKey
    /// How spaces are written. `percentEscaped` by default.
    public var spaceEncoding = SpaceEncoding.percentEscaped

    /// Creates an encoder with the defaults of ``HTTPRequestSerializer``.
    public init() {}

    /// Encodes a value as a query without `?`.
    ///
    /// It is empty if the value has no entries.
    ///
    /// - Throws: Errors that the value throws when it is encoded; an error of
    ///   ``URLRequestSerializationErrorDomain`` for a value without keys.
    public func encode(_ value: some Encodable) throws -> String {
        let node = FormNode()
        try FormEncoder(encoder: self, node: node, codingPath: []).write(value)
        guard case .object(let entries) = node.content else {
            if case .empty = node.content { return "" }
            throw URLRequestSerializationError.invalidParameters(
                "The parameters are one value without a name; use a structure or a dictionary."
            )
        }
        var pairs: [QueryStringPair] = []
        for (key, node) in inOrder(entries) { append(node, key, to: &pairs) }
        let query = QueryString.joined(pairs)
        return spaceEncoding == .plusReplaced
            ? query.replacingOccurrences(of: "%20", with: "+") : query
    }

    private func inOrder(_ entries: [(String, FormNode)]) -> [(String, FormNode)] {
        let spelled = entries.map { (keyEncoding.key($0.0), $0.1) }
        return alphabetizesKeys ? spelled.sorted { $0.0 < $1.0 } : spelled
    }

    private func append(_ node: FormNode, _ name: String, to pairs: inout [QueryStringPair]) {
        switch node.content {
        case .empty:
            break
        case .null:
            guard let text = nilEncoding.text else { break }
            pairs.append(QueryStringPair(name: name, value: .text(text)))
        case .text(let text):
            pairs.append(QueryStringPair(name: name, value: .text(text)))
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                append(element, arrayEncoding.key(name, at: index), to: &pairs)
            }
        case .object(let entries):
            for (key, inner) in inOrder(entries) {
                append(inner, keyPathEncoding.name(of: key, in: name), to: &pairs)
            }
        }
    }
}
