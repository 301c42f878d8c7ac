package import Logging

/// Formats a log line: time, level, message, and metadata sorted by name.
package enum LogLine {
    /// Returns `2026-11-22T16:04:12.123456Z warning breaker opened host=example.org:443 seconds=30`
    /// with a line end.
    ///
    /// A value is quoted and escaped as in JSON unless it consists only of letters, `…`, and
    /// visible ASCII characters except `"`, `\` and `=`. So an entry never spans several lines.
    package static func text(
        microseconds: Int64,
        level: Logger.Level,
        message: String,
        metadata: Logger.Metadata
    ) -> String {
        var line = "\(Timestamp.text(microseconds: microseconds)) \(level.rawValue) "
        line +=
            message.unicodeScalars.allSatisfy { isPlain($0) || $0 == " " }
            ? message : quoted(message)
        for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
            line += " \(name)=\(self.value("\(value)"))"
        }
        return line + "\n"
    }

    private static func value(_ text: String) -> String {
        !text.isEmpty && text.unicodeScalars.allSatisfy(isPlain) ? text : quoted(text)
    }

    /// Whether a character needs no quotes.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "\\", "=": false
        case "\u{21}"..."\u{7E}", "…": true
        default: scalar.properties.isAlphabetic
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{200E}"..."\u{200F}",
                "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
