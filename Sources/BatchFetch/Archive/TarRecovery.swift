import Curl

/// Finds out how much of a tar file is whole that was being written when its run was killed.
enum TarRecovery {
    private static let block: Int64 = 512

    /// The bytes up to the end of the last body that is there with its description; 0 for none.
    static func wholeLength(of file: borrowing FileDescriptor) throws(FileError) -> Int64 {
        let size = try file.size()
        var offset: Int64 = 0
        var whole: Int64 = 0
        // Of a member that is too large for its own header.
        var announced: Int64?
        while offset + block <= size {
            let header = try file.bytes(at: offset, upTo: Int(block))
            guard header.count == Int(block), header[257..<262].elementsEqual("ustar".utf8),
                let length = announced ?? octal(header[124..<135])
            else { break }
            let end = offset + block + (length + block - 1) / block * block
            guard end <= size else { break }
            announced = nil
            if header[156] == UInt8(ascii: "x") {
                let record = try file.bytes(at: offset + block, upTo: Int(min(length, 100)))
                announced = paxSize(record)
            } else if isDescription(header[..<100]) {
                whole = end
            }
            offset = end
        }
        return whole
    }

    /// Digits and `.json`.
    private static func isDescription(_ name: ArraySlice<UInt8>) -> Bool {
        let text = name.prefix { $0 != 0 }
        let digits = text.prefix { (0x30...0x39).contains($0) }
        return !digits.isEmpty && text.dropFirst(digits.count).elementsEqual(".json".utf8)
    }

    private static func octal(_ digits: ArraySlice<UInt8>) -> Int64? {
        Int64(String(decoding: digits, as: UTF8.self), radix: 8)
    }

    private static func paxSize(_ record: [UInt8]) -> Int64? {
        let line = record.prefix { $0 != UInt8(ascii: "\n") }
        guard let equals = line.lastIndex(of: UInt8(ascii: "=")) else { return nil }
        return Int64(String(decoding: line[(equals + 1)...], as: UTF8.self))
    }
}
