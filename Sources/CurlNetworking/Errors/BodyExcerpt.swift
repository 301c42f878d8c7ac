internal import Foundation

/// How a body begins, in one line for a message.
struct BodyExcerpt {
    let text: String

    /// The most characters that are shown.
    private static let length = 200

    /// - Parameter data: `nil`, and what is empty or no text in UTF-8, have no excerpt.
    init?(_ data: Data?) {
        guard let data, !data.isEmpty else { return nil }
        // A character takes up to four bytes, of which the last one's may be cut off.
        let beginning = data.prefix(Self.length * 4)
        let whole = (0..<4).lazy.compactMap { count in
            String(data: beginning.dropLast(count), encoding: .utf8)
        }
        guard let decoded = whole.first else { return nil }
        let line = decoded.split(whereSeparator: { $0.isWhitespace || $0.isNewline })
            .joined(separator: " ")
        let isText = line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard !line.isEmpty, isText else { return nil }
        let isCut = line.count > Self.length || data.count > beginning.count
        text = "“" + line.prefix(Self.length) + (isCut ? "…”" : "”")
    }
}
