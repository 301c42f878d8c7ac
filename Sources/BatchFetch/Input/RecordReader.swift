internal import CurlTransport
import Posix

/// Parses the records of one list. Reads no file; only the path of a body's file is resolved.
struct RecordReader: Sendable {
    /// The parsed content of a record.
    enum Meaning: Sendable {
        /// Nothing, for the header row.
        case nothing
        case content(InputLine.Content)
        /// A pattern that stands for many URLs, and their common details.
        case pattern(URLPattern, BatchRequest)
    }

    private let format: InputFormat
    private let options: BatchInput.Options
    private var places: InputColumns.Places?
    /// What was ignored since the last ``takeIgnored()``, in words.
    private var ignored: [String] = []
    private var everIgnored: Set<String> = []

    init(_ format: InputFormat, _ options: BatchInput.Options) {
        self.format = format
        self.options = options
    }

    /// Whether the next record is exactly one entry, whatever it contains.
    var makesOneURL: Bool {
        guard !options.expandsPatterns else { return false }
        return switch format {
        case .lines, .jsonLines, .aria2, .automatic: true
        // The first row may be the header row.
        case .csv, .tsv: places != nil
        }
    }

    /// Parses a record.
    ///
    /// - Throws: ``BatchFailure`` if the list as a whole can't be read.
    mutating func read(_ record: InputRecord) throws(BatchFailure) -> Meaning {
        switch record.content {
        case .line(.text(let text)):
            return format == .jsonLines ? json(text) : plain(text)
        case .line(let content):
            return .content(content)
        case .damaged(let reason):
            let failure = BatchFailure(.invalidLine, reason)
            return .content(.malformed(beginning: "line \(record.line)", failure))
        case .row(let fields):
            guard let places else { return try firstRow(fields) }
            return row(fields, places)
        case .entry(let entry):
            return self.entry(entry)
        }
    }

    // MARK: Entries of aria2

    /// The maximum number of different warnings.
    private static let maximumWarnings = 100

    private mutating func entry(_ entry: AriaEntry) -> Meaning {
        let beginning = Self.beginning(of: entry.urls.joined(separator: " "))
        var ignored: [String] = []
        defer {
            for name in ignored where everIgnored.count < Self.maximumWarnings {
                if everIgnored.insert(name).inserted { self.ignored.append(name) }
            }
        }
        do throws(BatchFailure) {
            return meaning(of: try entry.request(ignored: &ignored), beginning: beginning)
        } catch {
            return .content(.malformed(beginning: beginning, error))
        }
    }

    /// Returns what was ignored since the last call, each once for a list.
    mutating func takeIgnored() -> [String] {
        guard !ignored.isEmpty else { return [] }
        defer { ignored = [] }
        return ignored
    }

    // MARK: Lines

    private func plain(_ text: String) -> Meaning {
        if options.expandsPatterns { return pattern(BatchRequest(url: text), beginning: text) }
        guard options.base != nil else { return .content(.text(text)) }
        return resolved(BatchRequest(url: text), beginning: text)
    }

    private func json(_ text: String) -> Meaning {
        do throws(BatchFailure) {
            let request = try JSONRequest.request(in: text, bodyFolder: options.bodyFolder)
            return meaning(of: request, beginning: Self.beginning(of: text))
        } catch {
            return .content(.malformed(beginning: Self.beginning(of: text), error))
        }
    }

    private static func beginning(of text: String) -> String {
        let beginning = text.prefix(120)
        return beginning.endIndex == text.endIndex ? text : "\(beginning)…"
    }

    // MARK: Rows

    private mutating func firstRow(_ fields: [String]) throws(BatchFailure) -> Meaning {
        let areNumbers = options.columns.areNumbers
        let places = try options.columns.places(in: areNumbers ? nil : fields)
        self.places = places
        return areNumbers ? row(fields, places) : .nothing
    }

    private func row(_ fields: [String], _ places: InputColumns.Places) -> Meaning {
        func field(_ place: Int?) -> String? {
            guard let place, fields.indices.contains(place), !fields[place].isEmpty else {
                return nil
            }
            return fields[place]
        }
        let beginning = Self.beginning(of: fields.joined(separator: ","))
        func malformed(_ reason: String) -> Meaning {
            .content(.malformed(beginning: beginning, BatchFailure(.invalidLine, reason)))
        }
        guard let url = field(places.url) else {
            return malformed("the row has no URL in column \(places.url + 1)")
        }
        var request = BatchRequest(url: url)
        request.tag = field(places.tag)
        request.name = field(places.name)
        if let text = field(places.sha256) {
            guard let digest = ExpectedDigest(.sha256, hexadecimal: text) else {
                return malformed("the row's SHA-256 is not 64 hexadecimal digits")
            }
            request.digests = [digest]
        }
        return meaning(of: request, beginning: beginning)
    }

    // MARK: URLs

    private func meaning(of request: BatchRequest, beginning: String) -> Meaning {
        options.expandsPatterns
            ? pattern(request, beginning: beginning) : resolved(request, beginning: beginning)
    }

    private func pattern(_ request: BatchRequest, beginning: String) -> Meaning {
        do throws(BatchFailure) {
            let pattern = try URLPattern(request.url)
            guard pattern.isPlain else {
                guard request.mirrors.isEmpty else { throw Self.patternWithMirrors }
                return .pattern(pattern, request)
            }
            var request = request
            request.url = pattern.makeIterator().first ?? request.url
            for index in request.mirrors.indices {
                let mirror = try URLPattern(request.mirrors[index])
                guard mirror.isPlain else { throw Self.patternWithMirrors }
                request.mirrors[index] = mirror.makeIterator().first ?? request.mirrors[index]
            }
            return resolved(request, beginning: beginning)
        } catch {
            return .content(.malformed(beginning: beginning, error))
        }
    }

    private static let patternWithMirrors = BatchFailure(
        .invalidLine,
        "the line has several URLs, which can't be patterns: write a line for each body, or escape "
            + "braces and brackets by \\"
    )

    private func resolved(_ request: BatchRequest, beginning: String) -> Meaning {
        .content(content(of: request, beginning: beginning))
    }

    /// Returns the content of one request, with an absolute URL.
    func content(of request: BatchRequest, beginning: String) -> InputLine.Content {
        guard let base = options.base, Self.isRelative(request.url) || !request.mirrors.isEmpty
        else { return request.isPlain ? .text(request.url) : .request(request) }
        do throws(URLParsing.Failure) {
            var request = request
            if Self.isRelative(request.url) {
                request.url = try URLParsing.resolve(request.url, against: base)
            }
            for index in request.mirrors.indices where Self.isRelative(request.mirrors[index]) {
                request.mirrors[index] = try URLParsing.resolve(
                    request.mirrors[index],
                    against: base
                )
            }
            return request.isPlain ? .text(request.url) : .request(request)
        } catch {
            let failure = BatchFailure(.invalidURL, "under the base URL: \(error.message)")
            return .malformed(beginning: beginning, failure)
        }
    }

    private static func isRelative(_ url: String) -> Bool {
        FetchTarget.schemeSeparator(in: url) == nil
    }
}

extension URLPattern.Iterator {
    /// The next URL, without advancing the iterator.
    var first: String? {
        var copy = self
        return copy.next()
    }
}

/// A line of a list that is neither blank nor a comment.
package struct InputLine: Sendable, Hashable {
    /// The content of a line.
    package enum Content: Sendable, Hashable {
        /// The line without the white space around it.
        case text(String)
        /// The beginning of a line that exceeds the maximum length.
        case tooLong(beginning: String)
        /// A line that isn't valid UTF-8; invalid bytes are replaced by U+FFFD.
        case notUTF8(repaired: String)
        /// A URL with details that a line of text can't express.
        case request(BatchRequest)
        /// The beginning of a line that violates its format, and the error.
        case malformed(beginning: String, BatchFailure)
    }

    /// The line number in the list, from 1. Blank lines and comments count.
    package let number: Int
    package let content: Content
    /// The name of the list, if there are several.
    package var source: String?
}

/// Splits bytes into the records of a format.
enum RecordSplitter: Sendable {
    case lines(LineSplitter)
    case rows(RowSplitter)
    case entries(AriaSplitter)

    init(_ format: InputFormat) {
        switch format {
        case .csv:
            self = .rows(
                RowSplitter(separator: UInt8(ascii: ","), maximumLength: format.maximumLength)
            )
        case .tsv:
            self = .rows(
                RowSplitter(separator: UInt8(ascii: "\t"), maximumLength: format.maximumLength)
            )
        case .aria2:
            self = .entries(AriaSplitter(maximumLength: format.maximumLength))
        case .lines, .jsonLines, .automatic:
            self = .lines(LineSplitter(maximumLength: format.maximumLength))
        }
    }

    /// Takes the next piece, and returns the completed records. `nil` is the end of the list.
    mutating func records(in bytes: [UInt8]?) -> [InputRecord] {
        var records: [InputRecord] = []
        switch self {
        case .lines(var splitter):
            // Avoids a copy of the partial line that the splitter holds.
            self = .lines(LineSplitter(maximumLength: 1))
            var lines: [InputLine] = []
            if let bytes {
                splitter.split(bytes, into: &lines)
            } else {
                splitter.finish(into: &lines)
            }
            self = .lines(splitter)
            records = lines.map { InputRecord(line: $0.number, content: .line($0.content)) }
        case .rows(var splitter):
            self = .lines(LineSplitter(maximumLength: 1))
            if let bytes {
                splitter.split(bytes, into: &records)
            } else {
                splitter.finish(into: &records)
            }
            self = .rows(splitter)
        case .entries(var splitter):
            self = .lines(LineSplitter(maximumLength: 1))
            if let bytes {
                splitter.split(bytes, into: &records)
            } else {
                splitter.finish(into: &records)
            }
            self = .entries(splitter)
        }
        return records
    }
}

/// A line or row of a list, before it is parsed.
struct InputRecord: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        /// A line of text.
        case line(InputLine.Content)
        /// The fields of a row.
        case row([String])
        /// An entry of aria2.
        case entry(AriaEntry)
        /// A malformed row or entry, with the reason.
        case damaged(String)
    }

    /// The number of the record's first line, from 1.
    let line: Int
    let content: Content
}

/// Splits a stream of bytes into lines, in bounded memory.
///
/// A line ends with LF or CRLF; the last one may end without. Blank lines and lines that begin with
/// `#` are counted and skipped. White space around a line and a byte order mark at the start of the
/// list are dropped. Does no input or output.
package struct LineSplitter: Sendable {
    /// The maximum length of a line in bytes.
    package let maximumLength: Int
    private var number = 0
    private var partial: [UInt8] = []
    private var isTooLong = false

    package init(maximumLength: Int = 16 * 1024) {
        self.maximumLength = max(1, maximumLength)
    }

    /// Takes the next piece, and appends the completed lines to `lines`.
    package mutating func split(_ bytes: [UInt8], into lines: inout [InputLine]) {
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            if partial.isEmpty, !isTooLong, end - start <= maximumLength {
                complete(bytes[start..<end], into: &lines)
            } else {
                keep(bytes[start..<end])
                completePartial(into: &lines)
            }
            start = end + 1
        }
        keep(bytes[start...])
    }

    /// Ends the list; the remaining bytes are the last line.
    package mutating func finish(into lines: inout [InputLine]) {
        if !partial.isEmpty { completePartial(into: &lines) }
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        let free = maximumLength - partial.count
        partial.append(contentsOf: bytes.prefix(free))
        if bytes.count > free { isTooLong = true }
    }

    private mutating func completePartial(into lines: inout [InputLine]) {
        if isTooLong {
            number += 1
            if let line = Self.trimmed(partial[...]), line.first != UInt8(ascii: "#") {
                let beginning = String(decoding: line.prefix(120), as: UTF8.self)
                lines.append(InputLine(number: number, content: .tooLong(beginning: beginning)))
            }
        } else {
            complete(partial[...], into: &lines)
        }
        partial.removeAll(keepingCapacity: true)
        isTooLong = false
    }

    private mutating func complete(_ bytes: ArraySlice<UInt8>, into lines: inout [InputLine]) {
        number += 1
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = number == 1 && bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes
        guard let line = Self.trimmed(text), line.first != UInt8(ascii: "#") else { return }
        let content: InputLine.Content =
            if let text = String(validating: line, as: UTF8.self) {
                .text(text)
            } else {
                .notUTF8(repaired: String(decoding: line, as: UTF8.self))
            }
        lines.append(InputLine(number: number, content: content))
    }

    /// Returns the bytes without white space around them. Returns `nil` if nothing is left.
    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return nil }
        return bytes[first...last]
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (9...13).contains(byte)
    }
}
