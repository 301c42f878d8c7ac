/// Decodes numbers, texts and bytes of a record. Returns `nil` if they are truncated or invalid.
struct JournalRecordReader {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func byte() -> UInt8? { bytes.popFirst() }

    mutating func number() -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            guard let byte = bytes.popFirst() else { return nil }
            number |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return number }
        }
        return nil
    }

    mutating func text() -> String? {
        piece().flatMap { String(validating: $0, as: UTF8.self) }
    }

    mutating func data() -> [UInt8]? { piece().map { Array($0) } }

    private mutating func piece() -> ArraySlice<UInt8>? {
        guard let count = number().flatMap({ Int(exactly: $0) }), count <= bytes.count
        else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count)
    }
}
