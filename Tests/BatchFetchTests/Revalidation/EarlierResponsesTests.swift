import HTTPTypes
import TestSupport
import Testing

@testable import BatchFetch

/// Which lines of earlier results make a request conditional.
@Suite struct EarlierResponsesTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// A line of results; `fields` are added to the usual ones.
    private func line(_ fields: String, url: String = "http://a/", ok: Bool = true) -> String {
        "{\"ordinal\":1,\"url\":\"\(url)\",\"final_url\":\"\(url)\",\"ok\":\(ok),\"bytes\":5,"
            + "\"decoded_bytes\":9\(fields.isEmpty ? "" : ",\(fields)")}"
    }

    private func response(_ fields: String, ok: Bool = true) -> EarlierResponse? {
        EarlierResponse(line: Array(line(fields, ok: ok).utf8))
    }

    private func responses(_ text: String) throws -> EarlierResponses {
        try EarlierResponses(path: try folder.write(text, to: "results"))
    }

    private func conditions(_ fields: String) throws -> [String?] {
        var headers: HTTPFields = [:]
        try #require(response(fields)).addConditions(to: &headers)
        return [headers[.ifNoneMatch], headers[.ifModifiedSince]]
    }

    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test func entityTagTakesPrecedenceOverTheDate() throws {
        let date = "\"last_modified\":\"\(Self.date)\""
        #expect(try conditions("\(date),\"etag\":\"\\\"1\\\"\"") == ["\"1\"", nil])
        #expect(try conditions("\"etag\":\"W/\\\"1\\\"\"") == ["W/\"1\"", nil])
        #expect(try conditions("\(date),\"etag\":null") == [nil, Self.date])
        #expect(try conditions("\(date),\"etag\":\"\"") == [nil, Self.date])
    }

    /// A line break would add fields to the request.
    @Test(arguments: [
        "\"etag\":\"\\\"1\\\"\\r\\nX-Evil: 1\"", "\"last_modified\":\"x\\ny\"", "\"etag\":\"\"",
        "\"etag\":null", "", "\"etag\":5",
    ])
    func unusableValidatorMakesNoCondition(fields: String) {
        #expect(response(fields) == nil)
    }

    @Test func failedLineMakesNoCondition() throws {
        #expect(response("\"etag\":\"\\\"1\\\"\"", ok: false) == nil)
        let text = line("\"etag\":\"\\\"1\\\"\"", ok: false) + "\n"
        #expect(try responses(text).count == 0)
    }

    @Test(arguments: [
        ("a/b.html", true), ("../b.html", false), ("/etc/passwd", false), ("a/../b", false),
        (".hidden", false), ("", false),
    ])
    func pathOutsideTheOutputIsNotUsed(path: String, isUsed: Bool) throws {
        let found = try #require(response("\"etag\":\"x\",\"path\":\"\(path)\""))
        #expect(found.name?.path == (isUsed ? path : nil))
    }

    @Test func sizesAndChecksumsAreReadBack() throws {
        let digest = String(repeating: "0a", count: 32)
        let fields = "\"etag\":\"x\",\"sha256\":\"\(digest)\",\"md5\":\"nonsense\""
        let found = try #require(response(fields))
        #expect(found.bytes == 9 && found.transferredBytes == 5)
        #expect(found.digests == [.sha256: [UInt8](repeating: 10, count: 32)])
        #expect(found.path == nil && found.name == nil)
    }

    @Test("The result of an unchanged body has the coding of its file")
    func codingOfTheFileIsReadBack() throws {
        let encoded = try #require(response("\"etag\":\"x\",\"content_encoding\":\"gzip\""))
        var result = BatchResult(url: "http://a/", line: 1)
        result.inherit(encoded)
        #expect(result.isUnchanged && result.contentEncoding == "gzip")
        // The file of a run that decoded the body.
        result.inherit(try #require(response("\"etag\":\"x\"")))
        #expect(result.contentEncoding == nil)
    }

    @Test func lastUsableLineOfAURLCounts() throws {
        let responses = try responses(
            [
                line("\"etag\":\"one\""), line("\"etag\":\"other\"", url: "http://b/"),
                line("\"etag\":\"two\""), line("\"etag\":\"three\"", ok: false), line(""),
                line("\"etag\":\"bad\\nvalue\""),
            ].joined(separator: "\n") + "\n"
        )
        #expect(responses.response(for: "http://a/")?.etag == "two")
        #expect(responses.response(for: "http://b/")?.etag == "other")
        #expect(responses.response(for: "http://c/") == nil)
    }

    @Test func tornLastLineIsIgnored() throws {
        let whole = line("\"etag\":\"one\"") + "\n"
        let responses = try responses(whole + line("\"etag\":\"two\""))
        #expect(responses.count == 1)
        #expect(responses.response(for: "http://a/")?.etag == "one")
    }

    /// Lines are read in pieces of growing length.
    @Test(arguments: [3000, 4096, 5000, 100_000])
    func longLineIsRead(length: Int) throws {
        let tag = String(repeating: "t", count: length)
        let responses = try responses(
            line("\"tag\":\"\(tag)\",\"etag\":\"one\"") + "\n"
                + line("\"etag\":\"two\"", url: "http://b/") + "\n"
        )
        #expect(responses.response(for: "http://a/")?.etag == "one")
        #expect(responses.response(for: "http://b/")?.etag == "two")
    }

    @Test func urlIsComparedUnescaped() throws {
        let responses = try responses(
            line("\"etag\":\"one\"", url: "http:\\/\\/a\\/\\u00e9") + "\n"
        )
        #expect(responses.response(for: "http://a/é")?.url == "http://a/é")
    }

    @Test(arguments: ["http://a/\n", "{\"url\":\"http://a/\",\"ok\":true}\n"])
    func fileWithoutResultsIsReportedByName(text: String) {
        let failure = #expect(throws: BatchFailure.self) { _ = try responses(text) }
        #expect(failure?.code == .input)
        #expect(failure?.message.contains(folder.path("results")) == true)
        #expect(failure?.message.contains("name those of an earlier run") == true)
    }

    @Test func missingFileIsReported() {
        let failure = #expect(throws: BatchFailure.self) {
            _ = try EarlierResponses(path: folder.path("none"))
        }
        #expect(failure?.code == .input)
        #expect(failure?.message.contains("name the results of an earlier run") == true)
    }

    @Test func positionsOfAURLAreReturnedLastFirst() {
        var table = LineTable()
        for (url, offset) in [("a", 30), ("b", 20), ("a", 10), ("c", 0), ("a", 40)] {
            table.add(Array(url.utf8), at: Int64(offset))
        }
        table.sort()
        #expect(table.offsets(of: Array("a".utf8)) == [40, 30, 10])
        #expect(table.offsets(of: Array("c".utf8)) == [0])
        #expect(table.offsets(of: Array("d".utf8)).isEmpty)
        #expect(LineTable().offsets(of: Array("a".utf8)).isEmpty)
    }
}
