import HTTPTypes
import Testing

@testable import BatchFetch

/// The meaning of lines and rows: URLs, requests, patterns and malformed records.
@Suite struct RecordReaderTests {
    private static let digits = String(repeating: "0a", count: 32)

    /// Reads a list. A pattern becomes its URLs, with the common details.
    private func contents(
        _ text: String,
        _ format: InputFormat,
        _ change: (inout BatchInput.Options) -> Void = { _ in }
    ) throws(BatchFailure) -> [InputLine.Content] {
        var options = BatchInput.Options()
        change(&options)
        var splitter = RecordSplitter(format)
        var reader = RecordReader(format, options)
        var found: [InputLine.Content] = []
        for record in splitter.records(in: Array(text.utf8)) + splitter.records(in: nil) {
            switch try reader.read(record) {
            case .nothing: break
            case .content(let content): found.append(content)
            case .pattern(let pattern, let template):
                for url in pattern {
                    var request = template
                    request.url = url
                    found.append(.request(request))
                }
            }
        }
        return found
    }

    private func request(
        _ url: String,
        _ change: (inout BatchRequest) -> Void
    ) -> InputLine.Content {
        var request = BatchRequest(url: url)
        change(&request)
        return .request(request)
    }

    private func malformed(_ beginning: String, _ reason: String) -> InputLine.Content {
        .malformed(beginning: beginning, BatchFailure(.invalidLine, reason))
    }

    @Test("The fields of a row are the details of its request, except empty ones")
    func fieldsAreDetails() throws {
        let digest = try #require(ExpectedDigest(.sha256, hexadecimal: Self.digits))
        let text = """
            sum,file,url,id
            \(Self.digits),a/b,http://h/1,"x,1"
            ,,http://h/2,
            ,,http://h/3,5,more,fields
            ,,http://h/4
            """
        let all = try contents(text, .csv) {
            $0.columns = InputColumns(tag: "ID", name: "file", sha256: "sum")
        }
        #expect(
            all == [
                request("http://h/1") {
                    $0.tag = "x,1"
                    $0.name = "a/b"
                    $0.digests = [digest]
                },
                .text("http://h/2"), request("http://h/3") { $0.tag = "5" }, .text("http://h/4"),
            ]
        )
    }

    @Test("A malformed row doesn't affect the others")
    func malformedRowDoesNotAffectOthers() throws {
        let text = "id\turl\tsum\n1\n2\t\t\n3\thttp://h/3\t0a\n4\t\"http://h/\"4\n5\thttp://h/5"
        let all = try contents(text, .tsv) { $0.columns.sha256 = "sum" }
        #expect(
            all == [
                malformed("1", "the row has no URL in column 2"),
                malformed("2,,", "the row has no URL in column 2"),
                malformed("3,http://h/3,0a", "the row's SHA-256 is not 64 hexadecimal digits"),
                malformed(
                    "line 5",
                    "text follows a closing quote: double the quotes within a field"
                ),
                .text("http://h/5"),
            ]
        )
    }

    @Test("If columns are given by position, the first row is an entry")
    func firstRowIsAnEntryWithNumbers() throws {
        let all = try contents("http://h/1,a\nhttp://h/2\n", .csv) {
            $0.columns = InputColumns(url: "1", tag: "2")
        }
        #expect(all == [request("http://h/1") { $0.tag = "a" }, .text("http://h/2")])
    }

    @Test("A header row without the column fails the whole list")
    func headerRowWithoutTheColumnFailsTheList() {
        let failure = #expect(throws: BatchFailure.self) {
            try contents("http://h/1,a\nhttp://h/2,b\n", .csv)
        }
        #expect(failure?.code == .input)
    }

    @Test("The error about a long malformed line quotes its beginning")
    func beginningOfALongLineIsReported() throws {
        let longest = "{" + String(repeating: "x", count: 118) + "}"
        let all = try contents("\(longest)\n\(longest)\(longest)", .jsonLines)
        #expect(all.count == 2)
        for (content, expected) in zip(all, [longest, "\(longest)…"]) {
            guard case .malformed(let beginning, let failure) = content else {
                Issue.record("\(content)")
                continue
            }
            #expect(beginning == expected)
            #expect(failure.message.hasPrefix("it is not a JSON object, or"))
        }
    }

    @Test("A line that is too long or not UTF-8 is an error, also in JSON")
    func unreadableLineIsReportedAsSuch() throws {
        for format in [InputFormat.lines, .jsonLines] {
            var options = BatchInput.Options()
            options.base = "http://h/"
            options.expandsPatterns = true
            var reader = RecordReader(format, options)
            for content in [
                .tooLong(beginning: "{1..2}"), .notUTF8(repaired: "{1..2}"),
            ] as [InputLine.Content] {
                let record = InputRecord(line: 1, content: .line(content))
                guard case .content(let found) = try reader.read(record) else {
                    Issue.record("\(content)")
                    continue
                }
                #expect(found == content)
            }
        }
    }

    @Test(
        "A relative reference is resolved against the base, and an absolute URL stays as it is",
        arguments: [
            ("b", "https://h.test/d/b"), ("/b", "https://h.test/b"), ("../b", "https://h.test/b"),
            ("//other.test/b", "https://other.test/b"), ("HTTP://A/x/../y", "HTTP://A/x/../y"),
            ("?x=1", "https://h.test/d/e?x=1"), ("ftp://a/", "ftp://a/"),
        ]
    )
    func referenceIsResolved(reference: String, url: String) throws {
        let base: (inout BatchInput.Options) -> Void = { $0.base = "https://h.test/d/e" }
        #expect(try contents(reference, .lines, base) == [.text(url)])
        #expect(
            try contents("{\"url\":\"\(reference)\",\"tag\":\"t\"}", .jsonLines, base)
                == [request(url) { $0.tag = "t" }]
        )
        #expect(try contents("url\n\(reference)", .csv, base) == [.text(url)])
    }

    @Test("An unresolvable reference is an invalid URL, and the error quotes its line")
    func unresolvableReferenceIsInvalid() throws {
        let all = try contents("//h:99999/\nb", .lines) { $0.base = "https://h.test/" }
        #expect(all.count == 2 && all.last == .text("https://h.test/b"))
        guard case .malformed(let beginning, let failure) = all.first else {
            Issue.record("\(all)")
            return
        }
        #expect(beginning == "//h:99999/" && failure.code == .invalidURL)
        #expect(failure.message.hasPrefix("under the base URL: "))
    }

    @Test("The URLs of a pattern have all details of its line")
    func patternHasTheDetailsOfItsLine() throws {
        let line = #"{"url":"http://h/{1..2}","tag":"{1..2}","method":"POST"}"#
        let change: (inout BatchRequest) -> Void = {
            $0.tag = "{1..2}"
            $0.method = .post
        }
        let expanded = try contents(line, .jsonLines) { $0.expandsPatterns = true }
        #expect(expanded == [request("http://h/1", change), request("http://h/2", change)])
        #expect(try contents(line, .jsonLines) == [request("http://h/{1..2}", change)])
    }

    @Test("An escaped brace is unescaped only where patterns are expanded")
    func escapeNeedsPatterns() throws {
        let line = #"http://h/\{1..2\}"#
        #expect(try contents(line, .lines) == [.text(line)])
        let expanded = try contents(line, .lines) { $0.expandsPatterns = true }
        #expect(expanded == [.text("http://h/{1..2}")])
    }

    @Test("A malformed pattern is reported, and the next line is read")
    func malformedPatternIsReported() throws {
        let all = try contents("url,id\nhttp://h/{x},7\nhttp://h/,8", .csv) {
            $0.expandsPatterns = true
        }
        guard all.count == 2, case .malformed(let beginning, let failure) = all[0] else {
            Issue.record("\(all)")
            return
        }
        #expect(beginning == "http://h/{x},7" && failure.code == .invalidLine)
        #expect(failure.message.contains("has {x}, which is not a range"))
        #expect(all[1] == .text("http://h/"))
    }

    @Test("A record may be counted without parsing only if it is exactly one entry")
    func unreadRecordIsOneEntry() throws {
        for (format, text) in [
            (InputFormat.lines, "a\n{1..3}\n"), (.jsonLines, "{\n{\"url\":\"{1..3}\"}\n"),
            (.csv, "url\n{1..3}\n\"a\"b\n"), (.tsv, "\"url\"\tx\n\t\n{1..3}\n"),
        ] {
            for expandsPatterns in [false, true] {
                var options = BatchInput.Options()
                options.expandsPatterns = expandsPatterns
                var splitter = RecordSplitter(format)
                var reader = RecordReader(format, options)
                var unread = 0
                for record in splitter.records(in: Array(text.utf8)) {
                    let makesOneURL = reader.makesOneURL
                    let meaning = try reader.read(record)
                    guard makesOneURL else { continue }
                    unread += 1
                    guard case .content = meaning else {
                        Issue.record("\(record) is \(meaning)")
                        continue
                    }
                }
                #expect(unread == (expandsPatterns ? 0 : 2), "\(format)")
            }
        }
    }
}
