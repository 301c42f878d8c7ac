/// Quoting for a POSIX shell (IEEE 1003.1, 2.2).
enum ShellWord {
    /// The text as one quoted word.
    static func quoted(_ text: String) -> String {
        // A shell reads bytes: a quote is a quote even if a combining character follows it.
        var word = "'"
        for scalar in text.unicodeScalars {
            if scalar == "'" { word += #"'\''"# } else { word.unicodeScalars.append(scalar) }
        }
        return word + "'"
    }

    /// A format string with which the shell's `printf` writes the bytes.
    static func format(_ bytes: some Sequence<UInt8>) -> String {
        var format = "'"
        for (index, byte) in bytes.enumerated() {
            switch byte {
            // A leading `-` would start an option.
            case UInt8(ascii: "-") where index == 0: format += octal(byte)
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
