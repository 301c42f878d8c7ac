/// Headers of tar members (POSIX.1-2001, pax format; ustar if it suffices).
enum TarHeader {
    private static let block = 512
    /// The largest number that eleven octal digits can hold.
    private static let largest: Int64 = 0o777_7777_7777

    /// Returns the header of a file.
    ///
    /// A size too large for ustar goes into a pax header before it.
    ///
    /// - Parameter name: At most 100 bytes of ASCII.
    static func bytes(name: String, size: Int64, seconds: Int64) -> [UInt8] {
        guard size > largest else { return header(name, size, seconds, type: "0") }
        let record = paxRecord("size", String(size))
        return header(name, Int64(record.count), seconds, type: "x") + record
            + padding(after: Int64(record.count)) + header(name, 0, seconds, type: "0")
    }

    /// Returns the zeros that fill the last block of `count` bytes.
    static func padding(after count: Int64) -> [UInt8] {
        [UInt8](repeating: 0, count: (block - Int(count % Int64(block))) % block)
    }

    private static func header(
        _ name: String,
        _ size: Int64,
        _ seconds: Int64,
        type: Character
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(block)
        func field(_ text: String, _ width: Int) {
            bytes += Array(text.utf8.prefix(width))
            bytes += [UInt8](repeating: 0, count: width - min(width, text.utf8.count))
        }
        field(name, 100)
        field(octal(0o644, 7), 8)
        field(octal(0, 7), 8)
        field(octal(0, 7), 8)
        field(octal(size, 11), 12)
        field(octal(min(max(seconds, 0), largest), 11), 12)
        let checksum = bytes.count
        field("        ", 8)
        field(String(type), 1)
        field("", 100)
        field("ustar", 6)
        field("00", 2)
        field("root", 32)
        field("root", 32)
        field("", block - bytes.count)
        let sum = bytes.reduce(0) { $0 + Int64($1) }
        let digits = Array(octal(sum, 6).utf8) + [0, 0x20]
        bytes.replaceSubrange(checksum..<(checksum + 8), with: digits)
        return bytes
    }

    private static func octal(_ value: Int64, _ width: Int) -> String {
        String(value, radix: 8).zeroPadded(to: width)
    }

    /// Returns a pax record: a line that begins with its own length.
    private static func paxRecord(_ key: String, _ value: String) -> [UInt8] {
        let rest = " \(key)=\(value)\n"
        var length = rest.utf8.count
        while String(length).utf8.count + rest.utf8.count != length {
            length = String(length).utf8.count + rest.utf8.count
        }
        return Array("\(length)\(rest)".utf8)
    }
}
