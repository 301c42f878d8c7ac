public import BatchFetch
internal import FoundationEssentials
internal import Posix

extension RunReport {
    private static let chunk = 256 * 1024
    /// The maximum length of a line, which may contain a body; longer lines count as damaged.
    private static let longestLine = 96 * 1024 * 1024

    /// Adds the results in a file, plain or gzip-compressed; `-` is the standard input.
    ///
    /// Lines that are no results are counted in ``damaged``. Blocks.
    ///
    /// - Throws: `BatchFailure.Code.input` if the file can't be read to its end. Results read
    ///   before the error are counted.
    public mutating func read(resultsOf path: String) throws(BatchFailure) {
        var splitter = LineSplitter(maximumLength: Self.longestLine)
        var decoder = InputDecoder()
        let json = JSONDecoder()
        var bytes: [UInt8] = []
        let file = path == "-" ? .standardInput : try LoggedResults.open(path)
        while try Self.read(file, into: &bytes) {
            try decoder.decode(bytes) { piece in
                add(piece, &splitter, json)
                return true
            }
            bytes.removeAll(keepingCapacity: true)
        }
        try decoder.finish { piece in
            add(piece, &splitter, json)
            return true
        }
        var rest: [InputLine] = []
        splitter.finish(into: &rest)
        for line in rest { add(line, json) }
    }

    private static func read(
        _ file: borrowing FileDescriptor,
        into bytes: inout [UInt8]
    ) throws(BatchFailure) -> Bool {
        do throws(FileError) {
            return try file.read(appendingTo: &bytes, upTo: chunk) > 0
        } catch {
            throw BatchFailure(.input, "\(error)")
        }
    }

    private mutating func add(
        _ bytes: [UInt8]?,
        _ splitter: inout LineSplitter,
        _ json: JSONDecoder
    ) {
        guard let bytes else { return }
        var lines: [InputLine] = []
        splitter.split(bytes, into: &lines)
        for line in lines { add(line, json) }
    }

    private mutating func add(_ line: InputLine, _ json: JSONDecoder) {
        switch line.content {
        case .text(let text):
            do throws(JSONProblem) {
                add(try ReportLine.sample(of: text, using: json))
            } catch {
                addDamage(line: line.number, error.message)
            }
        case .tooLong:
            addDamage(line: line.number, "it is too long")
        case .notUTF8:
            addDamage(line: line.number, "it is not UTF-8")
        case .request, .malformed:
            addDamage(line: line.number, "it is not a result")
        }
    }

    /// Checks, before a run, that the page can be written.
    ///
    /// - Throws: `BatchFailure.Code.output` if it can't.
    public static func check(_ path: String) throws(BatchFailure) {
        try describingFailure { () throws(BatchFailure) in try TextFile.check(path) }
    }

    /// Writes the page to a file; `-` is the standard output. Blocks.
    ///
    /// A regular file is replaced once the page is complete. Anything else (a pipe, a device, a
    /// symbolic link) is written in place.
    ///
    /// - Parameter title: The title of the page, for example the name of the results file.
    /// - Throws: `BatchFailure.Code.output` if it can't be written.
    public func write(to path: String, title: String) throws(BatchFailure) {
        try Self.describingFailure { () throws(BatchFailure) in
            try TextFile.write(html(title: title), to: path)
        }
    }

    private static func describingFailure(_ body: () throws(BatchFailure) -> Void)
        throws(BatchFailure)
    {
        do throws(BatchFailure) {
            try body()
        } catch {
            throw BatchFailure(.output, "can't write the report: \(error.message)")
        }
    }
}
