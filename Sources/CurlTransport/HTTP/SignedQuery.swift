internal import HTTPSemantics

/// The form of a query that an AWS signature covers.
///
/// libcurl before 8.3 signs a query as it is. The request therefore has this form, with the same
/// meaning, so that any version signs what AWS expects. Source:
/// <https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html>.
enum SignedQuery {
    /// A request's path with its query in canonical form.
    ///
    /// The parameters are sorted, have a `=` each, and all characters except letters, digits and
    /// `-._~` are percent-encoded. A `+` is a space.
    static func path(_ path: String) -> String {
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return path }
        let query = parts[1].prefix { $0 != "#" }
        let parameters = query.split(separator: "&").map { parameter in
            let parts = parameter.split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            return (name: encoded(parts[0]), value: parts.count > 1 ? encoded(parts[1]) : "")
        }
        guard !parameters.isEmpty else { return String(parts[0]) }
        let sorted = parameters.sorted { first, second in
            first.name == second.name ? first.value < second.value : first.name < second.name
        }
        return "\(parts[0])?" + sorted.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    /// Encodes a part, of which some bytes may be encoded already.
    private static func encoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            var value = byte == UInt8(ascii: "+") ? ASCII.space : byte
            if byte == UInt8(ascii: "%"), let high = rest.first?.hexadecimalValue,
                let low = rest.dropFirst().first?.hexadecimalValue
            {
                rest = rest.dropFirst(2)
                value = high << 4 | low
            }
            if value.isUnreserved {
                bytes.append(value)
            } else {
                PercentCoding.append(escapeOf: value, to: &bytes)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
