internal import HTTPSemantics

extension String {
    /// Whether the text begins with `http://` or `https://`, and has only letters, digits and marks
    /// that a URL keeps as they are.
    ///
    /// Then `URL(string:)` either has this text as its `absoluteString` or fails.
    var isPlainWebURL: Bool {
        guard hasPrefix("http://") || hasPrefix("https://") else { return false }
        let bytes = utf8.span
        return bytes.indices.allSatisfy { bytes[$0].isUnreserved || Self.isKept(bytes[$0]) }
    }

    /// Whether a byte is `/`, `?`, `:`, `=`, `&`, `,`, `;`, `+` or `*`.
    private static func isKept(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x2f, 0x3f, 0x3a, 0x3d, 0x26, 0x2c, 0x3b, 0x2b, 0x2a: true
        default: false
        }
    }
}
