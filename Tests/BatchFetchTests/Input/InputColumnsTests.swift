import Testing

@testable import BatchFetch

/// Columns of CSV and TSV lists, by name or by number.
@Suite struct InputColumnsTests {
    private typealias Places = InputColumns.Places

    private func failure(_ columns: InputColumns, _ names: [String]) -> BatchFailure? {
        #expect(throws: BatchFailure.self) { try columns.places(in: names) }
    }

    @Test("Columns are found by their names in the header row, in any order")
    func columnsAreFoundByName() throws {
        let columns = InputColumns(tag: "id", name: "file", sha256: "sum")
        let places = try columns.places(in: ["sum", "x", "id", "url", "file"])
        #expect(places == Places(url: 3, tag: 2, name: 4, sha256: 0))
        #expect(!columns.areNumbers)
    }

    @Test("A column that no option names isn't used, even if its header looks suitable")
    func unnamedColumnsHaveNoPlace() throws {
        let places = try InputColumns().places(in: ["tag", "url", "name", "sha256"])
        #expect(places == Places(url: 1))
    }

    @Test("A column with the exact name precedes one in another case or a later equal one")
    func exactNameGoesBeforeAnotherCase() throws {
        let columns = InputColumns(url: "Link")
        #expect(try columns.places(in: ["LINK", "link", "Link", "Link"]).url == 2)
        #expect(try columns.places(in: ["x", "LINK", "link"]).url == 1)
        #expect(try InputColumns(url: "ÜBER").places(in: ["über"]).url == 0)
    }

    @Test("One column may be both the URL and the tag")
    func oneColumnMayServeTwoPurposes() throws {
        let places = try InputColumns(tag: "url").places(in: ["url"])
        #expect(places == Places(url: 0, tag: 0))
    }

    @Test("Columns can be given by their positions, from 1")
    func numbersArePositionsFromOne() throws {
        let columns = InputColumns(url: "3", tag: "1", name: "2", sha256: "10")
        #expect(columns.areNumbers)
        #expect(
            try columns.places(in: nil) == Places(url: 2, tag: 0, name: 1, sha256: 9)
        )
    }

    @Test("If one column is given by name, numbers are names, too")
    func oneNameMakesAllColumnsNames() throws {
        let columns = InputColumns(url: "2", tag: "id")
        #expect(!columns.areNumbers)
        #expect(try columns.places(in: ["id", "x", "2"]) == Places(url: 2, tag: 0))
        #expect(failure(columns, ["id", "x"])?.message.contains("no column “2”") == true)
    }

    @Test(
        "Text that isn't a plain number above zero is a column's name",
        arguments: ["0", "-1", "1.0", " 1", "", "1a", "99999999999999999999", "٢"]
    )
    func otherNumbersAreNames(text: String) {
        #expect(!InputColumns(url: text).areNumbers)
        #expect(!InputColumns(url: "1", sha256: text).areNumbers)
    }

    @Test("The error names the missing column, the existing ones and the remedy")
    func missingColumnIsReported() {
        let missing = failure(InputColumns(tag: "Id", name: "x"), ["url", "a, b", ""])
        #expect(missing?.code == .input)
        #expect(
            missing?.message
                == "the first row has no column “Id”, but “url”, “a, b”, “”: name one of them, or "
                + "give its number if there is no header row"
        )
    }

    @Test("The error about a long header row quotes 20 names of 40 characters at most")
    func longHeaderRowIsShortened() throws {
        // As when the first row is data.
        let long = String(repeating: "x", count: 5000)
        let names = [long] + (2...1000).map { "column \($0)." }
        let message = try #require(failure(InputColumns(), names)?.message)
        #expect(message.contains("“\(String(repeating: "x", count: 40))”, “column 2.”"))
        #expect(message.contains("“column 20.”:") && !message.contains("column 21."))
        #expect(message.utf8.count < 1000)
    }
}
