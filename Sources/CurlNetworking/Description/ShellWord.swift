/// How a text is written for a POSIX shell (IEEE 1003.1, 2.2), so that it is taken as it is.
enum ShellWord {
    /// A text as one word.
    static func quoted(_ text: String) -> String {
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: #"'\''"#) + "'"
    }

    /// Bytes as the format of the shell's `printf`, which writes them.
    static func format(_ bytes: some Sequence<UInt8>) -> String {
        var format = "'"
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "%"): format += "%%"
            case UInt8(ascii: "'"), UInt8(ascii: "\\"): format += octal(byte)
            case 0x20...0x7e: format.unicodeScalars.append(Unicode.Scalar(byte))
            default: format += octal(byte)
            }
        }
        return format + "'"
    }

    private static func octal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 8)
        return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
}
