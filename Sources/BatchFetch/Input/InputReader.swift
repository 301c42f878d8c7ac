import Curl

/// Reads the input on a thread of its own and hands lines to the run while there is room.
final class InputReader: Sendable {
    private static let chunk = 64 * 1024

    private let input: BatchInput
    private let first: FileDescriptor
    private let core: RunCore

    init(_ input: BatchInput, file: consuming FileDescriptor, core: RunCore) {
        self.input = input
        first = file
        self.core = core
    }

    /// Opens what is to be read first, so that it is known at the start whether it can be.
    ///
    /// - Throws: ``BatchFailure/Code/input`` if it can't.
    static func open(_ input: BatchInput) throws(BatchFailure) -> FileDescriptor {
        try input.validate()
        switch input.kind {
        case .sequence:
            return FileDescriptor(number: -1, path: "sequence", isOwned: false)
        case .lists(let lists):
            guard let first = lists.first else {
                return FileDescriptor(number: -1, path: "nothing", isOwned: false)
            }
            return try first.open()
        }
    }

    /// Reads to the end, or until the run stops.
    func run() {
        var feed = EntryFeed(core, input.options)
        var failure: BatchFailure?
        switch input.kind {
        case .sequence(let produce):
            produce { lines in
                for line in lines where !feed.add(line) { return false }
                return feed.flush()
            }
        case .lists(let lists):
            do throws(BatchFailure) {
                try read(lists, into: &feed)
            } catch {
                failure = error
            }
            _ = feed.flush()
        }
        if feed.failure == nil { failure = feed.finish() ?? failure }
        core.endInput(feed.failure ?? failure)
        guard feed.failure != nil else { return }
        core.stop(cancelling: false)
        _ = feed.finish()
    }

    private func read(_ lists: [InputList], into feed: inout EntryFeed) throws(BatchFailure) {
        for (index, list) in lists.enumerated() {
            if core.isStopping || feed.isOver { return }
            let source = lists.count > 1 ? list.name : nil
            do throws(BatchFailure) {
                if case .url(let url) = list {
                    try read(url, into: &feed)
                } else if index == 0 {
                    try read(first, list, source, into: &feed)
                } else {
                    try read(list.open(), list, source, into: &feed)
                }
            } catch {
                let place = source.map { "“\($0)” " } ?? "the list "
                throw BatchFailure(error.code, place + "could not be read to its end: \(error)")
            }
        }
    }

    /// A URL that was given itself.
    private func read(_ url: String, into feed: inout EntryFeed) throws(BatchFailure) {
        var records = RecordReader(.lines, input.options)
        let record = InputRecord(line: 1, content: .line(.text(url)))
        let meaning = try records.read(record)
        _ = take(meaning, record, nil, records, &feed)
    }

    private func read(
        _ file: borrowing FileDescriptor,
        _ list: InputList,
        _ source: String?,
        into feed: inout EntryFeed
    ) throws(BatchFailure) {
        var format = input.options.format.resolved(forFile: "")
        if case .file(let path) = list { format = input.options.format.resolved(forFile: path) }
        var decoder = InputDecoder()
        var splitter = RecordSplitter(format)
        var records = RecordReader(format, input.options)
        var failure: BatchFailure?
        // False ends the reading; what was wrong, if anything was, is in `failure`.
        func take(_ bytes: [UInt8]?) -> Bool {
            do throws(BatchFailure) {
                for record in splitter.records(in: bytes) {
                    if records.makesOneURL, let goesOn = feed.skipDone(record) {
                        guard goesOn else { return false }
                        continue
                    }
                    let meaning = try records.read(record)
                    guard self.take(meaning, record, source, records, &feed) else { return false }
                }
                return feed.flush()
            } catch {
                failure = error
                return false
            }
        }
        let size = knownSize(of: file)
        var count: Int64 = 0
        var bytes: [UInt8] = []
        while !core.isStopping, !feed.isOver, failure == nil {
            guard core.reader.wait(orReadable: file) else {
                core.reader.clear()
                continue
            }
            bytes.removeAll(keepingCapacity: true)
            guard try Self.read(file, into: &bytes) else {
                try decoder.finish(take)
                if failure == nil { _ = take(nil) }
                break
            }
            count += Int64(bytes.count)
            try decoder.decode(bytes, take)
            core.noteRead(count, of: size)
        }
        if let failure { throw failure }
    }

    /// The bytes of a list that is the only one and a file; 0 where lines say nothing about how many
    /// URLs they are.
    private func knownSize(of file: borrowing FileDescriptor) -> Int64 {
        guard case .lists(let lists) = input.kind, lists.count == 1, !input.options.expandsPatterns,
            (try? file.kind()) == .regular
        else { return 0 }
        return (try? file.size()) ?? 0
    }

    /// False at the end.
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

    /// Hands on what a record asks for; false if the run is ending.
    private func take(
        _ meaning: RecordReader.Meaning,
        _ record: InputRecord,
        _ source: String?,
        _ records: RecordReader,
        _ feed: inout EntryFeed
    ) -> Bool {
        switch meaning {
        case .nothing:
            return true
        case .content(let content):
            return feed.add(InputLine(number: record.line, content: content, source: source))
        case .pattern(let pattern, let template):
            for url in pattern {
                var request = template
                request.url = url
                let content = records.content(of: request, beginning: url)
                guard feed.add(InputLine(number: record.line, content: content, source: source))
                else { return false }
            }
            return true
        }
    }
}
