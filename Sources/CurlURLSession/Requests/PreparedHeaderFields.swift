internal import HTTPSemantics

/// Header fields that many requests get, checked and formatted once.
package struct PreparedHeaderFields: Sendable {
    fileprivate private(set) var lines: [HeaderLine] = []
    /// The name of the first field whose value can't be sent.
    package private(set) var invalidName: String?

    /// Creates an empty collection.
    package init() {}

    /// Adds a field. Its name's words are capitalised, as a request does it.
    ///
    /// A value that a request doesn't take is noted in ``invalidName``.
    package mutating func append(name: String, value: String) {
        guard value.isFieldValue else {
            invalidName = invalidName ?? name
            return
        }
        lines.append(HeaderLine(name: name.capitalizedFieldName, value: value))
    }
}

extension URLRequest {
    /// Adds the fields that the request lacks. Its own stay unchanged.
    package mutating func complete(with fields: PreparedHeaderFields) {
        guard !fields.lines.isEmpty else { return }
        if state.headerFields == nil { state.headerFields = RequestHeaderFields() }
        state.headerFields?.complete(with: fields.lines)
    }

    /// Sets the value of a header field. Returns false, and changes nothing, if a request doesn't
    /// take the value.
    package mutating func setValueIfValid(_ value: String, for field: String) -> Bool {
        guard value.isFieldValue else { return false }
        state.setValidValue(value, for: field)
        return true
    }
}
