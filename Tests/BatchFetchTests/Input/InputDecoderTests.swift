import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// Lists whose compression is known by their first bytes.
@Suite struct InputDecoderTests {
    private static let gzip = CompressedSample.gzip.bytes

    /// Decodes a list in pieces of one size.
    private func decode(_ bytes: [UInt8], piece: Int = .max) throws(BatchFailure) -> [UInt8] {
        var decoder = InputDecoder()
        var output: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(piece))
            rest = rest.dropFirst(piece)
            try decoder.decode(part) { taken in
                output += taken
                return true
            }
        }
        try decoder.finish { taken in
            output += taken
            return true
        }
        return output
    }

    private func failure(_ bytes: [UInt8], piece: Int = .max) -> String? {
        do throws(BatchFailure) {
            _ = try decode(bytes, piece: piece)
            return nil
        } catch {
            return error.code == .input ? error.message : "\(error.code)"
        }
    }

    @Test("A plain list is unchanged, for pieces of any size", arguments: [1, 2, 3, 4, .max])
    func plainListIsPassedOn(piece: Int) throws {
        for text in ["", "a", "abc", "abcd", "\n", "http://h/\n", "\u{1f}x\n", "(µ/\n"] {
            let bytes = Array(text.utf8)
            #expect(try decode(bytes, piece: piece) == bytes, "\(text)")
        }
    }

    @Test("A gzip list is decompressed, with several members and zeros at its end")
    func gzipListIsDecompressed() throws {
        let text = CompressedSample.text
        for piece in [1, 5, .max] {
            #expect(try decode(Self.gzip, piece: piece) == text)
            #expect(try decode(Self.gzip + Self.gzip, piece: piece) == text + text)
            #expect(try decode(Self.gzip + [0, 0, 0], piece: piece) == text)
        }
    }

    @Test("The error of a truncated or damaged gzip list has the reason", arguments: [1, .max])
    func damagedGzipListHasItsReason(piece: Int) {
        for count in [2, 10, 50, Self.gzip.count - 1] {
            let cut = Array(Self.gzip.prefix(count))
            #expect(failure(cut, piece: piece) == "its gzip data ends too early", "\(count)")
        }
        var damaged = Self.gzip
        damaged[damaged.count - 8] ^= 1
        #expect(failure(damaged, piece: piece) == "its gzip data is damaged: incorrect data check")
        let other = "other data follows its gzip data"
        #expect(failure(Self.gzip + [0x61], piece: piece) == other)
        #expect(failure(Self.gzip + [0, 0, 0x1f], piece: piece) == other)
    }

    @Test(
        "The error of an unsupported format says how to convert the list",
        arguments: [
            ([0xFF, 0xFE, 0x68, 0], "iconv -f UTF-16"), ([0xFE, 0xFF, 0, 0x68], "iconv -f UTF-16"),
            ([0x28, 0xB5, 0x2F, 0xFD], "zstd -dc FILE"), ([0xFD, 0x37, 0x7A, 0x58], "xz -dc FILE"),
            ([0x42, 0x5A, 0x68, 0x39], "bzip2 -dc FILE"), ([0x50, 0x4B, 3, 4], "unzip -p FILE"),
        ] as [([UInt8], String)],
        [1, 3, .max]
    )
    func unreadableFormatHasAdvice(format: (bytes: [UInt8], advice: String), piece: Int) {
        let found = failure(format.bytes + [1, 2, 3], piece: piece)
        #expect(found?.contains(format.advice) == true, "\(found ?? "no failure")")
        // A file that has less than its mark is plain text.
        let short = Array(format.bytes.prefix(1))
        #expect(failure(short, piece: piece) == nil)
    }

    @Test("Decoding stops when its receiver takes no more pieces")
    func decodingStopsOnRequest() throws {
        var decoder = InputDecoder()
        let members = Array(repeatElement(Self.gzip, count: 50).joined())
        var pieces = 0
        try decoder.decode(members) { _ in
            pieces += 1
            return pieces < 3
        }
        #expect(pieces == 3)
    }

    @Test(
        "An argument for a list is read as a URL, a file or standard input",
        arguments: [
            ("-", .standardInput), ("http://h/", .url("http://h/")),
            ("HTTPS://h", .url("HTTPS://h")),
            ("http:/h", .file("http:/h")), ("ftp://h/", .file("ftp://h/")), ("", .file("")),
            ("--", .file("--")), ("http", .file("http")), ("./-", .file("./-")),
        ] as [(String, InputList)]
    )
    func listIsAURLOrAFile(argument: String, list: InputList) {
        #expect(InputList(argument) == list)
        #expect(InputList(argument).argument == argument)
    }

    @Test("A list that can't be read is an error with advice, before and while it is opened")
    func unreadableListIsAnError() throws {
        let folder = try TemporaryDirectory()
        let missing = folder.path("none")
        for (path, reason) in [(missing, "No such file"), (folder.path, "Is a directory")]
            as [(String, String)]
        {
            let list = InputList.file(path)
            let checked = #expect(throws: BatchFailure.self) { try list.check() }
            let opened = #expect(throws: BatchFailure.self) { _ = try list.open() }
            for failure in [checked, opened] {
                #expect(failure?.code == .input)
                #expect(failure?.message.contains("“\(path)”") == true)
                #expect(failure?.message.contains(reason) == true)
                #expect(
                    failure?.message.contains("one URL a line, or - for standard input") == true
                )
            }
        }
        try InputList.file("/dev/null").check()
        try InputList.standardInput.check()
        try InputList.url("http://h/").check()
    }
}
