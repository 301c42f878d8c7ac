internal import FoundationEssentials
internal import HTTPSemantics
package import Posix

/// Splits results into lines; ignores a torn last line. Does no input or output.
package struct LoggedResults: Sendable {
    /// The length of the complete lines, in bytes.
    private(set) var wholeLength: Int64 = 0
    /// Whether a line was not a result.
    private(set) var hasInvalidLine = false
    private var partial: [UInt8] = []

    /// Parses the next bytes, and calls `take` with each complete line. The offset is in bytes.
    mutating func read(_ bytes: [UInt8], _ take: (_ line: LoggedResult, _ offset: Int64) -> Void) {
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            partial += rest[..<end]
            if let line = LoggedResult(partial) {
                take(line, wholeLength)
            } else {
                hasInvalidLine = true
            }
            wholeLength += Int64(partial.count + 1)
            partial.removeAll(keepingCapacity: true)
            rest = rest[(end + 1)...]
        }
        partial += rest
    }
}

extension LoggedResults {
    private static let chunk = 1 << 20

    /// Reads results from the current position of a file to its end. Blocks.
    ///
    /// - Parameter take: Called with each line, except those of duplicates, and its offset from that
    ///   position, in bytes.
    /// - Throws: ``BatchFailure/Code/input`` if the file can't be read or doesn't contain results.
    static func read(
        _ file: borrowing FileDescriptor,
        _ take: (_ line: LoggedResult, _ offset: Int64) -> Void
    ) throws(BatchFailure) {
        var lines = LoggedResults()
        do throws(FileError) {
            var bytes: [UInt8] = []
            while !lines.hasInvalidLine, try file.read(appendingTo: &bytes, upTo: chunk) > 0 {
                // A duplicate's line says nothing about its URL.
                lines.read(bytes) { line, offset in
                    if !line.isDuplicate { take(line, offset) }
                }
                bytes.removeAll(keepingCapacity: true)
            }
        } catch {
            throw unreadable(error)
        }
        guard !lines.hasInvalidLine else {
            throw BatchFailure(
                .input,
                "“\(file.path)” has lines that aren't results: name those of an earlier run, not "
                    + "compressed"
            )
        }
    }

    /// Opens a file with results.
    package static func open(_ path: String) throws(BatchFailure) -> FileDescriptor {
        do throws(FileError) {
            return try .openForReading(path)
        } catch {
            throw unreadable(error)
        }
    }

    private static func unreadable(_ error: FileError) -> BatchFailure {
        BatchFailure(.input, "\(error): name the results of an earlier run")
    }
}

/// A line of results whose fields are parsed on demand. Does no input or output.
struct LoggedResult: Sendable {
    private struct Texts: Decodable {
        let url: String
        let path: String?
    }

    private static let ordinalKey = Array("\"ordinal\":".utf8)
    private static let urlKey = Array("\"url\":\"".utf8)
    private static let pathKey = Array("\"path\":\"".utf8)
    private static let duplicateKey = Array("\"duplicate_of\":".utf8)
    private static let failedField = Array("\"ok\":false".utf8)

    let bytes: [UInt8]
    let ordinal: Int

    /// Returns `nil` for a line that is not a result.
    init?(_ bytes: [UInt8]) {
        // Quotes inside a JSON string have backslashes, so they can't match.
        guard let start = Self.index(of: Self.ordinalKey, in: bytes) else { return nil }
        let digits = bytes[(start + Self.ordinalKey.count)...].prefix(while: \.isASCIIDigit)
        guard let ordinal = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
        self.bytes = bytes
        self.ordinal = ordinal
    }

    var isFetched: Bool { Self.index(of: Self.failedField, in: bytes) == nil }

    /// Whether the URL wasn't fetched because another line had it before.
    var isDuplicate: Bool { Self.index(of: Self.duplicateKey, in: bytes) != nil }

    /// The URL as in the list; `nil` if the line has none.
    var url: [UInt8]? { text(behind: Self.urlKey) { $0.url } }

    /// The body's file, relative to the output folder. `nil` without a file of its own.
    var path: [UInt8]? { text(behind: Self.pathKey) { $0.path } }

    private func text(behind key: [UInt8], _ field: (Texts) -> String?) -> [UInt8]? {
        guard let start = Self.index(of: key, in: bytes) else { return nil }
        let text = bytes[(start + key.count)...].prefix { $0 != UInt8(ascii: "\"") }
        // Text with escapes is decoded as JSON.
        guard text.contains(UInt8(ascii: "\\")) else { return Array(text) }
        let texts = try? JSONDecoder().decode(Texts.self, from: Data(bytes))
        return texts.flatMap(field).map { Array($0.utf8) }
    }

    /// Whether the line contains one of these fields.
    func contains(oneOf fields: [[UInt8]]) -> Bool {
        fields.contains { Self.index(of: $0, in: bytes) != nil }
    }

    private static func index(of field: [UInt8], in line: [UInt8]) -> Int? {
        guard let first = field.first else { return nil }
        var rest = line[...]
        while let index = rest.firstIndex(of: first) {
            rest = rest[index...]
            if rest.starts(with: field) { return index }
            rest = rest.dropFirst()
        }
        return nil
    }
}
