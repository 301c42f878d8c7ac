import Posix

/// The results of an earlier run, to fetch only changed bodies.
///
/// The run sends `If-None-Match`, or without an entity tag `If-Modified-Since`, for a URL whose
/// earlier result has a validator and whose body still exists. URLs are compared as text, wherever
/// they are in the list. A body exists if its file is in the output folder at its earlier path with
/// its earlier length; bodies that are discarded count as existing.
///
/// Everything else is fetched: failed URLs, results without a validator, methods other than `GET`
/// and `HEAD`, requests with conditions of their own, results that lack a required checksum, and
/// all URLs if bodies go to archives, to memory or to the standard output. Conditions are sent only
/// to the URL that sent the validator, which after redirects is the last one.
///
/// A 304 gives a result with ``BatchResult/isUnchanged``, which repeats the earlier result's data
/// about the body: these results can be the input of the next run. A changed file is replaced
/// regardless of ``FileNaming/existing``.
///
/// The file of results stays open and must not change meanwhile. Each URL takes 16 bytes of memory.
public final class EarlierResponses: Sendable {
    private static let longestLine = 1 << 20
    /// Matches string values, not `null`.
    private static let validators = ["\"etag\":\"", "\"last_modified\":\""].map { Array($0.utf8) }
    /// A lower bound for the length of a result line. It determines the reserved capacity, whose
    /// pages take no memory before they are used.
    private static let shortestLine: Int64 = 400

    private let file: FileDescriptor
    private let table: LineTable

    /// The number of URLs with a usable earlier response.
    public var count: Int { table.count }

    /// Reads the results and ignores an incomplete last line. Blocks.
    ///
    /// - Throws: ``BatchFailure/Code/input`` if the file can't be read or has no results.
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

    /// The response in the last usable line about a URL; `nil` without one. May block on the disk.
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

    /// Reads a line; `nil` if it can't be read, in which case the URL is fetched.
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

/// The file offsets of result lines by URL. Pure.
///
/// It takes 16 bytes per URL, for many millions of URLs.
struct LineTable: Sendable {
    private struct Place: Sendable {
        let hash: UInt64
        let offset: Int64
    }

    private var places: [Place] = []
    private let hash = KeyedHash()

    var count: Int { places.count }

    mutating func reserve(_ count: Int) { places.reserveCapacity(count) }

    mutating func add(_ url: [UInt8], at offset: Int64) {
        places.append(Place(hash: hash.hash([url]), offset: offset))
    }

    /// Sorts the table. Call it after the last ``add(_:at:)`` and before the first look-up.
    mutating func sort() {
        places.sort { ($0.hash, $0.offset) < ($1.hash, $1.offset) }
    }

    /// The offsets of possible lines about a URL, the last first.
    func offsets(of url: [UInt8]) -> [Int64] {
        let wanted = hash.hash([url])
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle].hash < wanted { low = middle + 1 } else { high = middle }
        }
        return places[low...].prefix { $0.hash == wanted }.map(\.offset).reversed()
    }
}
