import Posix

/// Receives the lines that an ``InputReader`` reads, on the reader's thread.
protocol LineReceiver {
    /// Takes a line; returns false if reading has to stop.
    mutating func add(_ line: InputLine) -> Bool

    /// Counts the next record without parsing it, if it is completed.
    ///
    /// Called for a record with one URL.
    mutating func skipIfCompleted(_ record: InputRecord) -> SkipResult

    /// Passes the collected lines on and waits for room. Returns false if reading has to stop.
    mutating func flush() -> Bool

    /// Whether no further list is read.
    var isStopping: Bool { get }

    /// Blocks until the file is readable; false if something else ended the wait.
    func wait(forReadable file: borrowing FileDescriptor) -> Bool

    /// Notes what a list has that isn't used, in words.
    func noteIgnored(_ name: String)

    /// Notes the number of bytes read; `size` is the number of all bytes, or 0 if it is unknown.
    func noteRead(_ count: Int64, of size: Int64)
}

extension LineReceiver {
    func noteIgnored(_ name: String) {}
}

/// What a ``LineReceiver`` has done with a record that may be completed.
enum SkipResult: Sendable {
    /// Nothing: ``LineReceiver/add(_:)`` must take the record.
    case notCompleted
    /// It has counted the record, and reading continues.
    case skipped
    /// It has counted the record, and reading has to stop.
    case stop
}

/// Reads the input and passes its lines on, as fast as their receiver takes them.
final class InputReader: Sendable {
    private static let chunk = 64 * 1024

    private let input: BatchInput
    private let first: ListFile

    /// How to read the lists.
    var options: BatchInput.Options { input.options }

    init(_ input: BatchInput, file: consuming ListFile) {
        self.input = input
        first = file
    }

    /// Opens the first list, so an error is known at once.
    ///
    /// - Throws: ``BatchFailure/Code/input`` if the list can't be read,
    ///   ``BatchFailure/Code/configuration`` for invalid options.
    static func open(_ input: BatchInput) throws(BatchFailure) -> ListFile {
        try input.validate()
        switch input.kind {
        case .sequence:
            return .noFile
        case .lists(let lists):
            guard let first = lists.first else { return .noFile }
            return try first.open()
        }
    }

    /// Reads until the end, or until the receiver stops. Returns the error, if any. Blocks.
    func read(into receiver: inout some LineReceiver) -> BatchFailure? {
        var failure: BatchFailure?
        switch input.kind {
        case .sequence(let produce):
            produce { lines in
                for line in lines where !receiver.add(line) { return false }
                return receiver.flush()
            }
        case .lists(let lists):
            do throws(BatchFailure) {
                try read(lists, into: &receiver)
            } catch {
                failure = error
            }
            _ = receiver.flush()
        }
        return failure
    }

    private func read(
        _ lists: [InputList],
        into receiver: inout some LineReceiver
    ) throws(BatchFailure) {
        for (index, list) in lists.enumerated() {
            if receiver.isStopping { return }
            let source = lists.count > 1 ? list.name : nil
            do throws(BatchFailure) {
                if case .url(let url) = list {
                    try read(url, into: &receiver)
                } else if index == 0 {
                    try read(first, list, source, into: &receiver)
                } else {
                    try read(list.open(), list, source, into: &receiver)
                }
            } catch {
                let place = source.map { "“\($0)” " } ?? "the list "
                throw BatchFailure(error.code, place + "could not be read completely: \(error)")
            }
        }
    }

    /// Reads a URL that was given as an argument.
    private func read(
        _ url: String,
        into receiver: inout some LineReceiver
    ) throws(BatchFailure) {
        var records = RecordReader(.lines, input.options)
        let record = InputRecord(line: 1, content: .line(.text(url)))
        let meaning = try records.read(record)
        _ = take(meaning, record, nil, records, &receiver)
    }

    private func read(
        _ file: borrowing ListFile,
        _ list: InputList,
        _ source: String?,
        into receiver: inout some LineReceiver
    ) throws(BatchFailure) {
        switch file {
        case .noFile: break
        case .open(let file): try read(file, list, source, into: &receiver)
        }
    }

    private func read(
        _ file: borrowing FileDescriptor,
        _ list: InputList,
        _ source: String?,
        into receiver: inout some LineReceiver
    ) throws(BatchFailure) {
        var format = input.options.format.resolved(forFile: "")
        if case .file(let path) = list { format = input.options.format.resolved(forFile: path) }
        var decoder = InputDecoder()
        var splitter = RecordSplitter(format)
        var records = RecordReader(format, input.options)
        var failure: BatchFailure?
        // False ends the reading; `failure` has the error, if any.
        func take(_ bytes: [UInt8]?) -> Bool {
            do throws(BatchFailure) {
                for record in splitter.records(in: bytes) {
                    if records.makesOneURL {
                        switch receiver.skipIfCompleted(record) {
                        case .notCompleted: break
                        case .skipped: continue
                        case .stop: return false
                        }
                    }
                    let meaning = try records.read(record)
                    for name in records.takeIgnored() { receiver.noteIgnored(name) }
                    guard self.take(meaning, record, source, records, &receiver)
                    else { return false }
                }
                return receiver.flush()
            } catch {
                failure = error
                return false
            }
        }
        let size = knownSize(of: file)
        var count: Int64 = 0
        var bytes: [UInt8] = []
        while !receiver.isStopping, failure == nil {
            guard receiver.wait(forReadable: file) else { continue }
            bytes.removeAll(keepingCapacity: true)
            guard try Self.read(file, into: &bytes) else {
                try decoder.finish(take)
                if failure == nil { _ = take(nil) }
                break
            }
            count += Int64(bytes.count)
            try decoder.decode(bytes, take)
            receiver.noteRead(count, of: size)
        }
        if let failure { throw failure }
    }

    /// The size of the only list, if it is a file. Otherwise 0.
    ///
    /// 0 with patterns, too, because their lines don't show the number of URLs.
    private func knownSize(of file: borrowing FileDescriptor) -> Int64 {
        guard case .lists(let lists) = input.kind, lists.count == 1, !input.options.expandsPatterns,
            (try? file.kind()) == .regular
        else { return 0 }
        return (try? file.size()) ?? 0
    }

    /// Returns false at the end of the file.
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

    /// Passes the URLs of a record on. Returns false if the run is ending.
    private func take(
        _ meaning: RecordReader.Meaning,
        _ record: InputRecord,
        _ source: String?,
        _ records: RecordReader,
        _ receiver: inout some LineReceiver
    ) -> Bool {
        switch meaning {
        case .nothing:
            return true
        case .content(let content):
            return receiver.add(InputLine(number: record.line, content: content, source: source))
        case .pattern(let pattern, let template):
            for url in pattern {
                var request = template
                request.url = url
                let content = records.content(of: request, beginning: url)
                guard receiver.add(InputLine(number: record.line, content: content, source: source))
                else { return false }
            }
            return true
        }
    }
}

/// Detects a list's compression by its first bytes, and decompresses it.
package struct InputDecoder: ~Copyable {
    private var gzip: GzipDecoder?
    private var isKnown = false
    private var beginning: [UInt8] = []

    package init() {}

    /// Decompresses the next bytes and passes the output to `take`. Stops when `take` returns
    /// false.
    ///
    /// - Throws: ``BatchFailure`` for an unsupported or damaged format.
    package mutating func decode(
        _ bytes: [UInt8],
        _ take: (_ piece: [UInt8]) -> Bool
    ) throws(BatchFailure) {
        if isKnown { return try pass(bytes, take) }
        beginning += bytes
        guard beginning.count >= 4 || beginning.contains(UInt8(ascii: "\n")) else { return }
        try begin(take)
    }

    /// Ends the list; throws if its gzip data is incomplete.
    package mutating func finish(_ take: (_ piece: [UInt8]) -> Bool) throws(BatchFailure) {
        if !isKnown { try begin(take) }
        guard gzip?.isComplete != false else {
            throw BatchFailure(.input, "its gzip data ends too early")
        }
    }

    private mutating func begin(_ take: (_ piece: [UInt8]) -> Bool) throws(BatchFailure) {
        isKnown = true
        let bytes = beginning
        beginning = []
        for (mark, hint) in Self.unreadable where bytes.starts(with: mark) {
            throw BatchFailure(.input, hint)
        }
        if bytes.starts(with: [0x1F, 0x8B]) {
            guard let decoder = GzipDecoder() else {
                throw BatchFailure(.resources, "not enough memory to decompress it")
            }
            gzip = consume decoder
        }
        try pass(bytes, take)
    }

    private mutating func pass(
        _ bytes: [UInt8],
        _ take: (_ piece: [UInt8]) -> Bool
    ) throws(BatchFailure) {
        if gzip == nil {
            if !bytes.isEmpty { _ = take(bytes) }
        } else {
            try gzip?.decode(bytes, take)
        }
    }

    private static let unreadable: [([UInt8], String)] = [
        ([0xFF, 0xFE], "it is UTF-16: convert it (iconv -f UTF-16 -t UTF-8)"),
        ([0xFE, 0xFF], "it is UTF-16: convert it (iconv -f UTF-16 -t UTF-8)"),
        ([0x28, 0xB5, 0x2F, 0xFD], "it is compressed by zstd: pipe it (zstd -dc FILE | … -)"),
        ([0xFD, 0x37, 0x7A, 0x58], "it is compressed by xz: pipe it (xz -dc FILE | … -)"),
        ([0x42, 0x5A, 0x68, 0x39], "it is compressed by bzip2: pipe it (bzip2 -dc FILE | … -)"),
        ([0x50, 0x4B, 0x03, 0x04], "it is a zip archive: pipe it (unzip -p FILE | … -)"),
    ]
}

/// The open file of a list.
enum ListFile: ~Copyable, Sendable {
    case open(FileDescriptor)
    /// The input is a sequence or has no list, or the list is a single URL.
    case noFile
}

/// One list of an input.
package enum InputList: Sendable, Hashable {
    case file(String)
    case standardInput
    /// A single URL to fetch.
    case url(String)

    /// Parses a command-line argument.
    package init(_ name: String) {
        let beginning = name.prefix(8).lowercased()
        if name == "-" {
            self = .standardInput
        } else if beginning.hasPrefix("http://") || beginning.hasPrefix("https://") {
            self = .url(name)
        } else {
            self = .file(name)
        }
    }

    /// The list as a command-line argument.
    var argument: String {
        switch self {
        case .file(let path): path
        case .standardInput: "-"
        case .url(let url): url
        }
    }

    /// The list's name in messages.
    var name: String {
        switch self {
        case .file(let path): path
        case .standardInput: "standard input"
        case .url: "the URL given"
        }
    }

    /// Opens the list.
    ///
    /// - Throws: ``BatchFailure/Code/input`` if the list can't be read.
    func open() throws(BatchFailure) -> ListFile {
        switch self {
        case .standardInput:
            return .open(.standardInput)
        case .url:
            return .noFile
        case .file(let path):
            do throws(FileError) {
                // A run whose named pipe has no writer must still end by its signals and limits.
                return .open(try .openForReading(path, waitsForWriter: false))
            } catch {
                throw Self.failure(error)
            }
        }
    }

    /// Checks that the list can be read. Doesn't open a pipe, which may allow only one reader.
    func check() throws(BatchFailure) {
        guard case .file(let path) = self else { return }
        do throws(FileError) {
            switch try FileSystem.kind(of: path) {
            case .directory: throw FileError.isDirectory(path)
            case nil: throw FileError.isMissing(path)
            case .regular: _ = try FileDescriptor.openForReading(path)
            case .other: return
            }
        } catch {
            throw Self.failure(error)
        }
    }

    private static func failure(_ error: FileError) -> BatchFailure {
        BatchFailure(
            .input,
            "\(error): name a file with one URL a line, or - for standard input"
        )
    }
}
