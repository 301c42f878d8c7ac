import CurlTransport
import HTTPTypes

/// The checksums that a response states for its own body.
enum ResponseDigests {
    /// Returns the checksums with known algorithms from the response's fields.
    ///
    /// Reads `Repr-Digest` and `Content-Digest` (RFC 9530), `Digest` (RFC 3230) and `Content-MD5`
    /// (RFC 1864), and ignores what it can't parse. The checksums apply to the transferred bytes,
    /// so a compressed body, or none (`HEAD`), can't be verified. For a partial response only
    /// `Repr-Digest` counts, for the whole body.
    ///
    /// - Parameter isWhole: Whether the parts of the body are combined before the check.
    static func expected(
        in head: ResponseHead,
        method: HTTPRequest.Method,
        isWhole: Bool = false
    ) -> [ExpectedDigest] {
        guard (200..<300).contains(head.statusCode), method != .head else { return [] }
        // A partial body is combined before it is checked, and only `Repr-Digest` covers the whole.
        let names = head.statusCode == 206 ? fieldNames.prefix(isWhole ? 1 : 0) : fieldNames[...]
        guard !head.isEncoded else { return [] }
        return names.flatMap { name in
            head.values(of: name).flatMap { value in digests(in: value, of: name) }
        }
    }

    /// The fields that may hold a checksum, in lower case.
    static let fieldNames = ["repr-digest", "content-digest", "digest", "content-md5"]

    /// Returns the checksums in one field's value.
    static func digests(in value: String, of name: String) -> [ExpectedDigest] {
        if name == "content-md5" {
            let digest = ExpectedDigest(.md5, base64: trimmed(value[...]), source: "Content-MD5")
            return digest.map { [$0] } ?? []
        }
        return value.split(separator: ",").compactMap { member in
            guard let equals = member.firstIndex(of: "=") else { return nil }
            let key = trimmed(member[..<equals]).lowercased()
            guard let algorithm = DigestAlgorithm(fieldName: key) else { return nil }
            var text = trimmed(member[member.index(after: equals)...])
            if name != "digest" {
                // A byte sequence (RFC 8941, 3.3.5), possibly with parameters.
                text = trimmed(text.prefix { $0 != ";" })
                guard text.count >= 2, text.first == ":", text.last == ":" else { return nil }
                text = text.dropFirst().dropLast()
            }
            let source = name.split(separator: "-").map { $0.capitalized }.joined(separator: "-")
            return ExpectedDigest(algorithm, base64: text, source: source)
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}

extension Substring {
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
