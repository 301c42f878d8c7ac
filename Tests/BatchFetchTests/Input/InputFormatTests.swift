import Testing

@testable import BatchFetch

/// Formats of lists, by their names, and the records that they are split into.
@Suite struct InputFormatTests {
    private func records(
        _ text: String,
        _ format: InputFormat,
        pieces: Int = .max
    ) -> [InputRecord] {
        records(Array(text.utf8), format, pieces: pieces)
    }

    private func records(
        _ bytes: [UInt8],
        _ format: InputFormat,
        pieces: Int = .max
    ) -> [InputRecord] {
        var splitter = RecordSplitter(format)
        var records: [InputRecord] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            records += splitter.records(in: Array(rest.prefix(pieces)))
            rest = rest.dropFirst(pieces)
        }
        return records + splitter.records(in: nil)
    }

    private func line(_ number: Int, _ text: String) -> InputRecord {
        InputRecord(line: number, content: .line(.text(text)))
    }

    private func row(_ number: Int, _ fields: String...) -> InputRecord {
        InputRecord(line: number, content: .row(fields))
    }

    @Test(
        "A name's ending determines the format, in any case and before .gz",
        arguments: [
            ("a.jsonl", .jsonLines), ("a.ndjson", .jsonLines), ("a.csv", .csv), ("a.tsv", .tsv),
            ("a.tab", .tsv), ("A.CSV", .csv), ("dir/a.b.JsonL", .jsonLines), ("a.csv.gz", .csv),
            ("a.TSV.GZ", .tsv), (".csv", .csv), ("a.txt", .lines), ("a", .lines), ("", .lines),
            ("a.gz", .lines), (".gz", .lines), ("csv", .lines), ("a.csv.bak", .lines),
            ("a.csv.gz.gz", .lines), ("a.csv/list", .lines), ("a.json", .lines), ("a.csv ", .lines),
            ("a.csv.zst", .lines),
        ] as [(String, InputFormat)]
    )
    func nameDeterminesTheFormat(name: String, format: InputFormat) {
        #expect(InputFormat.automatic.resolved(forFile: name) == format)
    }

    @Test("An explicit format applies to files of any name", arguments: ["a.csv", "a.tsv.gz", ""])
    func setFormatAppliesToAnyName(name: String) {
        for format in [InputFormat.lines, .jsonLines, .csv, .tsv] {
            #expect(format.resolved(forFile: name) == format)
        }
    }

    @Test("The separator and the meaning of # and quotes depend on the format")
    func separatorDependsOnTheFormat() {
        let text = "#a\t1,2\n\"b\tc\",d\n"
        #expect(records(text, .lines) == [line(2, "\"b\tc\",d")])
        #expect(records(text, .jsonLines) == [line(2, "\"b\tc\",d")])
        #expect(records(text, .csv) == [row(1, "#a\t1", "2"), row(2, "b\tc", "d")])
        #expect(
            records("#a\t1,2\n\"b\tc\"\td\n", .tsv) == [row(1, "#a", "1,2"), row(2, "b\tc", "d")]
        )
    }

    @Test("A record that arrives in several pieces is complete", arguments: [1, 2, 7])
    func splitRecordIsKept(size: Int) {
        let text = "one,\"a\n\nb\"\r\ntwo,ü\n\nthree"
        for format in [InputFormat.lines, .jsonLines, .csv, .tsv] {
            #expect(
                records(text, format, pieces: size) == records(text, format),
                "\(format)"
            )
        }
        #expect(
            records(text, .csv, pieces: size) == [
                row(1, "one", "a\n\nb"), row(4, "two", "ü"), row(6, "three"),
            ]
        )
    }

    @Test("A record is returned when its end has arrived")
    func pieceCompletesOnlyItsRecords() {
        for format in [InputFormat.lines, .csv] {
            var splitter = RecordSplitter(format)
            #expect(splitter.records(in: Array("a\nb\nc".utf8)).map(\.line) == [1, 2])
            #expect(splitter.records(in: []).isEmpty)
            #expect(splitter.records(in: Array("d".utf8)).isEmpty)
            #expect(splitter.records(in: nil).map(\.line) == [3])
            #expect(splitter.records(in: nil).isEmpty)
        }
    }

    @Test("A line of text has at most 16 KiB")
    func lineOfTextHasAMaximumLength() {
        let longest = String(repeating: "x", count: 16 * 1024)
        let beginning = String(repeating: "x", count: 120)
        for size in [1000, .max] {
            #expect(
                records("\(longest)\n\(longest)x\nlast", .lines, pieces: size) == [
                    line(1, longest),
                    InputRecord(line: 2, content: .line(.tooLong(beginning: beginning))),
                    line(3, "last"),
                ]
            )
        }
    }

    @Test("JSON and rows, which may have bodies and many columns, have at most 1 MiB")
    func otherRecordsHaveAnotherMaximumLength() throws {
        let long = String(repeating: "x", count: 100_000)
        #expect(records(long, .jsonLines) == [line(1, long)])
        #expect(records(long, .csv) == [row(1, long)])
        let tooLong = [UInt8](repeating: UInt8(ascii: "x"), count: 1024 * 1024 + 1)
        for format in [InputFormat.jsonLines, .tsv] {
            let found = records(tooLong + Array("\nlast".utf8), format, pieces: 64 * 1024)
            #expect(found.map(\.line) == [1, 2])
            switch try #require(found.first).content {
            case .line(.tooLong): #expect(found.last == line(2, "last"))
            case .damaged(let reason):
                #expect(reason.contains("more than 1048576 bytes"))
                #expect(found.last == row(2, "last"))
            default: Issue.record("the record is not reported")
            }
        }
    }

    @Test("A row that is not UTF-8 is reported, and the others are read")
    func rowInAnotherEncodingIsReported() {
        let bytes = Array("a,b\n".utf8) + [0x63, 0x2C, 0xFC, 0x0A] + Array("d,e".utf8)
        #expect(
            records(bytes, .csv) == [
                row(1, "a", "b"), InputRecord(line: 2, content: .damaged("it is not UTF-8")),
                row(3, "d", "e"),
            ]
        )
    }
}
