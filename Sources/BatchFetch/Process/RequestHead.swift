/// Finds where requests end.
enum RequestHead {
    /// A longer one is none.
    static let longest = 16 * 1024

    /// Where the blank line behind a request's head ends, with or without carriage returns; nil if it
    /// hasn't come yet.
    static func end(in bytes: [UInt8]) -> Int? {
        var isLineEmpty = false
        for (index, byte) in bytes.enumerated() where byte != 0x0D {
            if byte == 0x0A, isLineEmpty { return index + 1 }
            isLineEmpty = byte == 0x0A
        }
        return nil
    }
}
