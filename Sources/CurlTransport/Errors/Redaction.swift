/// Removes secrets from texts that may be logged.
///
/// The secrets are a URL's user info, query and fragment.
enum Redaction {
    /// Redacts a URL, or a text that was meant to be one.
    static func url(_ text: String) -> String {
        word(text[...])
    }

    /// Redacts any text, such as libcurl's error text, which may quote a URL.
    static func text(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x40 || $0 == 0x3f || $0 == 0x23 }) else {
            return text
        }
        return text.split(separator: " ", omittingEmptySubsequences: false)
            .map(word).joined(separator: " ")
    }

    /// Redacts the text between two spaces.
    private static func word(_ word: Substring) -> String {
        let bytes = Array(word.utf8)
        let start = endOfScheme(in: bytes) ?? 0
        // The query or fragment begins here. Outside of a URL, a hash may be punctuation.
        let secret = bytes.indices.first {
            (bytes[$0] == UInt8(ascii: "?") && $0 + 1 < bytes.endIndex)
                || (bytes[$0] == UInt8(ascii: "#") && start > 0)
        }
        let end = secret ?? bytes.endIndex
        guard let at = bytes[start...].lastIndex(of: UInt8(ascii: "@")) else {
            return String(decoding: bytes[..<end], as: UTF8.self)
        }
        // The at sign follows a question mark: it is in the query, or in a password that contains a
        // question mark. These can't be distinguished, so neither is shown.
        let tail = at < end ? bytes[(at + 1)..<end] : []
        return String(decoding: bytes[..<start] + tail, as: UTF8.self)
    }

    private static func endOfScheme(in bytes: [UInt8]) -> Int? {
        guard bytes.count >= 3 else { return nil }
        return (0...(bytes.count - 3)).first { bytes[$0...].starts(with: "://".utf8) }
            .map { $0 + 3 }
    }
}
