import Foundation
import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// Reading lists one after another, up to their end or an error, or until the receiver stops.
@Suite struct InputReaderTests {
    private typealias Change = (inout LineCollector) -> Void

    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// Reads an input as a run does. `opened` is called when the first list is open.
    private func read(
        _ input: BatchInput,
        _ change: Change = { _ in },
        opened: () throws -> Void = {}
    ) throws -> (all: LineCollector, failure: BatchFailure?) {
        let reader = InputReader(input, file: try InputReader.open(input))
        try opened()
        var collector = LineCollector()
        change(&collector)
        let failure = reader.read(into: &collector)
        return (collector, failure)
    }

    private func urls(_ count: Int) -> String {
        (1...count).map { "http://h/\($0)\n" }.joined()
    }

    @Test("Each line of several lists has its number and the name of its list")
    func lineHasNumberAndList() throws {
        let one = try folder.write("# no\na\n\nb", to: "one")
        let two = try folder.write("c\n", to: "two")
        let (all, failure) = try read(.lists([one, two, "http://h/", one]))
        #expect(failure == nil)
        #expect(all.texts == ["a", "b", "c", "http://h/", "a", "b"])
        #expect(all.lines.map(\.number) == [2, 4, 1, 1, 2, 4])
        #expect(all.lines.map(\.source) == [one, one, two, nil, one, one])
        #expect(try read(.file(one)).all.lines.map(\.source) == [nil, nil])
    }

    @Test("An empty list is no error, and the next one is read")
    func emptyListIsNoError() throws {
        let empty = try folder.write("", to: "empty")
        let comments = try folder.write("#\n\n", to: "comments")
        let (all, failure) = try read(.lists([empty, comments, "http://h/"]))
        #expect(failure == nil && all.texts == ["http://h/"])
    }

    @Test("No line and no list is read after the receiver has stopped")
    func nothingIsReadAfterTheStop() throws {
        let one = try folder.write(urls(50_000), to: "one")
        let (all, failure) = try read(.lists([one, folder.write("x", to: "two")])) { $0.limit = 3 }
        #expect(failure == nil)
        #expect(all.texts == ["http://h/1", "http://h/2", "http://h/3"])
        #expect(all.amounts.count <= 1)
    }

    @Test("A pattern is expanded only until the receiver stops")
    func patternEndsWithItsReceiver() throws {
        var input = BatchInput.file(try folder.write("{0..281474976710000}\nx\n", to: "list"))
        input.options.expandsPatterns = true
        let (all, failure) = try read(input) { $0.limit = 300 }
        #expect(failure == nil && all.texts == (0..<300).map(String.init))
        #expect(all.lines.allSatisfy { $0.number == 1 })
    }

    @Test("A list that disappears fails after the lists before it have been read")
    func listThatDisappearsFailsInItsTurn() throws {
        let one = try folder.write("a\nb", to: "one")
        let two = try folder.write("c", to: "two")
        let (all, failure) = try read(
            .lists([one, two, one]),
            opened: { try FileManager.default.removeItem(atPath: two) }
        )
        #expect(all.texts == ["a", "b"] && all.flushes.last == 2)
        #expect(failure?.code == .input)
        let message = failure?.message ?? ""
        #expect(message.hasPrefix("“\(two)” could not be read completely: cannot open “\(two)”"))
        #expect(message.contains("No such file or directory"))
    }

    @Test("A list that is replaced after it was opened is read in its former version")
    func openListIsReadAsItWas() throws {
        let list = try folder.write("a\nb\n", to: "list")
        let (all, failure) = try read(
            .file(list),
            opened: {
                try FileManager.default.removeItem(atPath: list)
                try folder.write("other", to: "list")
            }
        )
        #expect(failure == nil && all.texts == ["a", "b"])
    }

    @Test("An incomplete line of a truncated or damaged gzip list isn't used as a URL")
    func cutLineIsNoURL() throws {
        let member = StoredGzip.member("http://h/1\nhttp://h/2\nhttp://h/345")
        // Without the member's last 8 bytes, which are sums, and 2 of the content.
        let cut = try folder.write(Array(member.dropLast(10)), to: "cut")
        let (all, failure) = try read(.file(cut))
        #expect(all.texts == ["http://h/1", "http://h/2"])
        let place = "the list could not be read completely: "
        #expect(failure?.message == place + "its gzip data ends too early")
        var damaged = member
        damaged[member.count - 8] ^= 1
        let wrong = try read(.file(folder.write(damaged, to: "damaged")))
        #expect(!wrong.all.texts.contains("http://h/345"))
        #expect(wrong.failure?.message == place + "its gzip data is damaged: incorrect data check")
    }

    @Test("The name before .gz determines the format of a compressed list")
    func compressedListHasTheFormatOfItsName() throws {
        let rows = StoredGzip.member("n,url\n1,http://h/1\n") + StoredGzip.member("2,http://h/2")
        let list = try folder.write(rows, to: "list.csv.gz")
        #expect(try read(.file(list)).all.texts == ["http://h/1", "http://h/2"])
        // Compression is detected by the content, not by the name.
        let plain = try folder.write("n,url\n1,http://h/1", to: "plain.csv.gz")
        #expect(try read(.file(plain)).all.texts == ["http://h/1"])
    }

    @Test("A header row without the column is an error, and later lists aren't read")
    func missingColumnEndsTheReading() throws {
        let rows = try folder.write("a,b\nhttp://h/1,2\n", to: "rows.csv")
        let (all, failure) = try read(.lists([rows, "http://h/"]))
        #expect(all.lines.isEmpty && failure?.code == .input)
        #expect(
            failure?.message.hasPrefix("“\(rows)” could not be read completely: the first row")
                == true
        )
    }

    @Test("Progress has the file's size, but only for a single list without patterns")
    func progressHasTheSizeOfTheFile() throws {
        let text = urls(10_000)
        let list = try folder.write(text, to: "list")
        let size = Int64(text.utf8.count)
        let amounts = try read(.file(list)).all.amounts
        #expect(amounts.count > 1 && amounts.last?.count == size)
        #expect(amounts.allSatisfy { $0.size == size })
        #expect(amounts.map(\.count) == amounts.map(\.count).sorted())
        var patterns = BatchInput.file(list)
        patterns.options.expandsPatterns = true
        for input in [patterns, .lists([list, "http://h/"])] {
            let amounts = try read(input).all.amounts
            #expect(amounts.last?.count == size && amounts.allSatisfy { $0.size == 0 })
        }
        let packed = StoredGzip.member(text)
        let compressed = try read(.file(folder.write(packed, to: "packed"))).all
        #expect(compressed.lines.count == 10_000)
        #expect(compressed.amounts.last?.count == Int64(packed.count))
    }

    @Test("A pipe is read to its end and has no size")
    func pipeIsReadToItsEnd() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(
            contentsOf: Data("{\"url\":\"a\"}\n\n{\"url\":\"b\"}".utf8)
        )
        try pipe.fileHandleForWriting.close()
        var input = BatchInput.standardInput
        input.options.format = .jsonLines
        let number = pipe.fileHandleForReading.fileDescriptor
        let file = FileDescriptor(number: number, path: "pipe", isOwned: false)
        var collector = LineCollector()
        let failure = InputReader(input, file: .open(file)).read(into: &collector)
        #expect(failure == nil)
        #expect(collector.texts == ["a", "b"] && collector.lines.map(\.number) == [1, 3])
        #expect(collector.amounts.map(\.size) == [0])
        try pipe.fileHandleForReading.close()
    }

    @Test("An interrupted wait is repeated, unless the receiver stops")
    func interruptedWaitIsRepeated() throws {
        let list = try folder.write(urls(3), to: "list")
        let repeated = try read(.file(list)) { $0.interruptedWaits = 5 }
        #expect(repeated.failure == nil && repeated.all.lines.count == 3)
        let stopped = try read(.lists([list, list])) {
            $0.interruptedWaits = 5
            $0.stopsWhenInterrupted = true
        }
        #expect(stopped.failure == nil && stopped.all.lines.isEmpty)
    }

    @Test("Only records with exactly one entry may be skipped, without parsing them")
    func skippedRecordIsNotParsed() throws {
        let lines = try folder.write("a\n\nb\n", to: "lines")
        let rows = try folder.write("url\na\n\"b\"x\n", to: "rows.csv")
        for (list, numbers) in [(lines, [1, 3]), (rows, [2, 3])] {
            let skipped = try read(.file(list)) { $0.skipResult = .skipped }
            #expect(skipped.all.skippable == numbers && skipped.all.lines.isEmpty)
            let taken = try read(.file(list))
            #expect(taken.all.skippable == numbers && taken.all.lines.map(\.number) == numbers)
            let stopped = try read(.file(list)) { $0.skipResult = .stop }
            #expect(stopped.all.skippable == [numbers[0]] && stopped.all.lines.isEmpty)
        }
    }
}
