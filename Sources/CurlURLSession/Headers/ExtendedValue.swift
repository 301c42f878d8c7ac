/// A parameter's value with its charset, as in `UTF-8''%e2%82%ac` (RFC 8187, which was RFC 5987).
enum ExtendedValue {
    /// The text that such a value stands for; `nil` if it isn't one, or its charset isn't one of the
    /// two that RFC 5987 asks for, UTF-8 and ISO-8859-1. The language is passed over.
    static func decode(_ text: String) -> String? {
        let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = PercentCoding.decode(parts[2].utf8) else { return nil }
        switch parts[0].lowercased() {
        case "utf-8":
            return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1":
            return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default:
            return nil
        }
    }
}
