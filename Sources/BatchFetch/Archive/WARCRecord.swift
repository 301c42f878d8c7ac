internal import FoundationEssentials

/// The head of a record of a WARC file (ISO 28500:2017, version 1.1).
struct WARCRecord: Sendable {
    /// Names the record, in angle brackets, among all that there are.
    let id: String
    private var lines: [String]

    init(type: String, date: String) {
        id = "<urn:uuid:\(UUID().uuidString.lowercased())>"
        lines = [
            "WARC/1.1", "WARC-Type: \(type)", "WARC-Record-ID: \(id)", "WARC-Date: \(date)",
        ]
    }

    /// Adds a field. Line ends, which no value has, would make others of it.
    mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        let isPlain = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        lines.append("\(name): \(isPlain ? value : value.filter { $0 >= " " })")
    }

    /// The head as it is written, for a block of so many bytes.
    func bytes(blockLength: Int64) -> [UInt8] {
        Array(
            (lines + ["Content-Length: \(blockLength)", "", ""]).joined(separator: "\r\n").utf8
        )
    }

    /// What follows the block.
    static let end: [UInt8] = Array("\r\n\r\n".utf8)
}
