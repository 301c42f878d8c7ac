internal import Foundation

/// The format of a cookie file: lines of JSON in UTF-8.
///
/// Each line ends with a line feed. The first line names the format and its version, such as
/// `{"format":"cookies","version":1}`. Each other line is a ``CookieRecord``, older cookies first.
/// A reader ignores unknown members; a change that such a reader would misunderstand needs a new
/// version. An empty file contains no cookies.
enum CookieFileFormat {
    static let version = 1

    /// Why a file can't be read.
    enum Failure: Error {
        case damaged(String)
        case newerFormat(Int)
    }

    private struct Header: Codable {
        var format: String
        var version: Int
    }

    static func encode(_ cookies: [StoredCookie]) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var bytes = [UInt8](try encoder.encode(Header(format: "cookies", version: version)))
        bytes.append(UInt8(ascii: "\n"))
        for record in cookies.compactMap({ CookieRecord($0) }) {
            bytes += try encoder.encode(record)
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    static func decode(_ bytes: [UInt8]) throws(Failure) -> [StoredCookie] {
        if bytes.isEmpty { return [] }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let decoder = JSONDecoder()
        guard let first = lines.first,
            let header = try? decoder.decode(Header.self, from: Data(first)),
            header.format == "cookies", header.version > 0
        else { throw .damaged("line 1 doesn't name the format") }
        guard header.version <= version else { throw .newerFormat(header.version) }
        // Each line ends with a line feed: anything after the last one was cut off.
        guard lines.last?.isEmpty == true else {
            throw .damaged("line \(lines.count) doesn't end")
        }
        var cookies: [StoredCookie] = []
        for (index, line) in lines.enumerated().dropFirst().dropLast() {
            guard let record = try? decoder.decode(CookieRecord.self, from: Data(line)) else {
                throw .damaged("line \(index + 1) isn't a cookie")
            }
            // A stored cookie may be invalid now, because the public suffix list differs.
            if let cookie = record.storedCookie { cookies.append(cookie) }
        }
        return cookies
    }
}
