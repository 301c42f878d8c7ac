internal import Curl
internal import FoundationEssentials

extension RunReport {
    private static let chunk = 256 * 1024
    /// Results may carry bodies; longer lines count as damaged.
    private static let longestLine = 96 * 1024 * 1024

    /// Counts the results in a file, compressed by gzip or not; `-` is the standard input. Lines that
    /// are no results are counted in ``damaged``. Blocks.
    ///
    /// - Throws: ``BatchFailure/Code/input`` if the file can't be read to its end. What was read
    ///   before counts.
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
            addDamage(line: line.number, "it is no result")
        }
    }

    /// Makes sure, before a run, that the page can be written after it.
    ///
    /// - Throws: ``BatchFailure/Code/output`` if it can't.
    public static func check(_ path: String) throws(BatchFailure) {
        try told { () throws(BatchFailure) in try TextFile.check(path) }
    }

    /// Writes the page to a file, which is replaced when it is complete; what is no file (a pipe, a
    /// device, a symbolic link) is written into, and `-` is the standard output. Blocks.
    ///
    /// - Parameter title: What the page is about: the name of the results, for instance.
    /// - Throws: ``BatchFailure/Code/output`` if it can't be written.
    public func write(to path: String, title: String) throws(BatchFailure) {
        try Self.told { () throws(BatchFailure) in try TextFile.write(html(title: title), to: path)
        }
    }

    private static func told(_ body: () throws(BatchFailure) -> Void) throws(BatchFailure) {
        do throws(BatchFailure) {
            try body()
        } catch {
            throw BatchFailure(.output, "the report can't be written: \(error.message)")
        }
    }
}
