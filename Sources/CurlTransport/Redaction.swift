/// Takes out of texts what must not reach a log: a URL's user info, query and fragment.
enum Redaction {
    /// A URL, or what was meant to be one, without user info, query and fragment.
    static func url(_ text: String) -> String {
        word(text[...])
    }

    /// Any text, such as libcurl's own words, which may quote a URL.
    static func text(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x40 || $0 == 0x3f || $0 == 0x23 }) else {
            return text
        }
        return text.split(separator: " ", omittingEmptySubsequences: false)
            .map(word).joined(separator: " ")
    }

    /// What stands between two spaces.
    private static func word(_ word: Substring) -> String {
        let bytes = Array(word.utf8)
        let start = endOfScheme(in: bytes) ?? 0
        // After a question mark or a hash (which, outside of a URL, may just be punctuation).
        let secret = bytes.indices.first {
            (bytes[$0] == UInt8(ascii: "?") && $0 + 1 < bytes.endIndex)
                || (bytes[$0] == UInt8(ascii: "#") && start > 0)
        }
        let end = secret ?? bytes.endIndex
        guard let at = bytes[start...].lastIndex(of: UInt8(ascii: "@")) else {
            return String(decoding: bytes[..<end], as: UTF8.self)
        }
        // An at sign behind a question mark: in the query, or in a password with a question mark.
        // Can't be told, so neither is shown.
        let tail = at < end ? bytes[(at + 1)..<end] : []
        return String(decoding: bytes[..<start] + tail, as: UTF8.self)
    }

    private static func endOfScheme(in bytes: [UInt8]) -> Int? {
        guard bytes.count >= 3 else { return nil }
        return (0...(bytes.count - 3)).first { bytes[$0...].starts(with: "://".utf8) }
            .map { $0 + 3 }
    }
}
