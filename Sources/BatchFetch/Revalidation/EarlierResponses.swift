import Curl

/// The responses of an earlier run, by its results: what a run asks servers about, so that only what
/// has changed since then is fetched.
///
/// A URL (by its text, wherever it stands in the list) is asked for with `If-None-Match`, or without an
/// entity tag with `If-Modified-Since`, where its earlier result has a validator and its body is still
/// there: in the output folder, under its earlier path and with its earlier length; or nowhere, where
/// bodies are dropped. All else is fetched: what failed, what has no validator, what isn't `GET` or
/// `HEAD` or has conditions of its own, what lacks a checksum that is asked for, and everything where
/// bodies go to archives, to memory or to the standard output. Conditions are sent only to the URL that
/// gave the validator, which after redirects is the last one.
///
/// A 304 is a result of its own, ``BatchResult/isUnchanged``, which carries on what the earlier one says
/// of the body: its results can be given to the next run. A changed file is replaced, whatever
/// ``FileNaming/existing`` says.
///
/// The results stay open and mustn't be changed meanwhile. 16 bytes are kept for each URL.
public final class EarlierResponses: Sendable {
    private static let longestLine = 1 << 20
    /// Texts, and not null.
    private static let validators = ["\"etag\":\"", "\"last_modified\":\""].map { Array($0.utf8) }
    /// Lines of results are longer: room for them is taken at once, and not touched before it is used.
    private static let shortestLine: Int64 = 400

    private let file: FileDescriptor
    private let table: LineTable

    /// How many URLs can be asked about.
    public var count: Int { table.count }

    /// Reads results; a line that is torn at their end doesn't count. Blocks.
    ///
    /// - Throws: ``BatchFailure/Code/input`` if they can't be read, or are no results.
    public init(path: String) throws(BatchFailure) {
        var table = LineTable()
        file = try LoggedResults.open(path)
        table.reserve(Int(clamping: ((try? file.size()) ?? 0) / Self.shortestLine))
        try LoggedResults.read(file) { line, offset in
            guard line.isFetched, line.contains(oneOf: Self.validators), let url = line.url
            else { return }
            table.add(url, at: offset)
        }
        table.sort()
        self.table = table
    }

    /// What the last line about a URL says; `nil` without one. It may wait for the disk.
    func response(for url: String) -> EarlierResponse? {
        for offset in table.offsets(of: Array(url.utf8)) {
            if let line = line(at: offset), let response = EarlierResponse(line: line),
                response.url == url
            {
                return response
            }
        }
        return nil
    }

    /// A line that can't be read any more is as none: its URL is fetched.
    private func line(at offset: Int64) -> [UInt8]? {
        var count = 4096
        while count <= Self.longestLine {
            guard let bytes = try? file.bytes(at: offset, upTo: count) else { return nil }
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) { return Array(bytes[..<end]) }
            guard bytes.count == count else { return nil }
            count *= 4
        }
        return nil
    }
}
