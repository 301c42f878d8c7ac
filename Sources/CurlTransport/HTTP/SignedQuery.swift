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
        let bytes = Array(text.utf8)
        var result = ""
        var place = 0
        while place < bytes.count {
            var byte = bytes[place]
            place += 1
            if byte == UInt8(ascii: "+") { byte = UInt8(ascii: " ") }
            if byte == UInt8(ascii: "%"), place + 2 <= bytes.count,
                let high = digit(bytes[place]), let low = digit(bytes[place + 1])
            {
                byte = high << 4 | low
                place += 2
            }
            if isUnreserved(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += byte < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return result
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// RFC 3986, section 2.3.
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
